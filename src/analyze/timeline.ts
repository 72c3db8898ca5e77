/** Buckets per window: hours, for the default window of a week. Windows begin and end on bucket borders. */
export const BUCKETS_PER_WINDOW = 168;
/** One window and the bucket that is still filling. */
export const WINDOW_BUCKETS = BUCKETS_PER_WINDOW + 1;
/** Two windows, to compare the present one with the previous one, plus the bucket that is still filling. */
export const KEPT_BUCKETS = 2 * BUCKETS_PER_WINDOW + 1;

const LONG_MS = 3 * 86_400_000;

/** Divides time into buckets, identical in every process. */
export class Timeline {
  readonly windowMs: number;
  readonly bucketMs: number;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
    this.bucketMs = windowMs / BUCKETS_PER_WINDOW;
  }

  bucketOf(atMs: number): number {
    return Math.floor(atMs / this.bucketMs);
  }

  /** Returns whether a range of buckets is long enough to contain typical bursts of failures. */
  isLong(buckets: number): boolean {
    return buckets * this.bucketMs >= Math.min(LONG_MS, this.windowMs / 2);
  }

  /** Returns the first and last bucket of the window that ends at `nowMs`. */
  window(nowMs: number): { readonly first: number; readonly last: number } {
    const last = this.bucketOf(nowMs);
    return { first: last - BUCKETS_PER_WINDOW, last };
  }
}
