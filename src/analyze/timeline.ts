/** Buckets per window: hours, for the default window of a week. Windows begin and end on a bucket's edge. */
export const BUCKETS_PER_WINDOW = 168;
/** Two windows, so that the present one can be compared with the one before, and the bucket that is still filling. */
export const KEPT_BUCKETS = 2 * BUCKETS_PER_WINDOW + 1;

const LONG_MS = 3 * 86_400_000;

/** Cuts time into buckets, the same in every process. */
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

  /** Whether a stretch of buckets is long enough to have met the bursts of failures that may come. */
  isLong(buckets: number): boolean {
    return buckets * this.bucketMs >= Math.min(LONG_MS, this.windowMs / 2);
  }

  /** First and last bucket of the window that ends at `nowMs`. */
  window(nowMs: number): { readonly first: number; readonly last: number } {
    const last = this.bucketOf(nowMs);
    return { first: last - BUCKETS_PER_WINDOW, last };
  }
}
