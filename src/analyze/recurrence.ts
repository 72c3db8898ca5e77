/** Definition of recurring, used everywhere: at least this many occurrences inside the window. */
export const RECURRENCE_THRESHOLD = 3;
export const WINDOW_MS = 7 * 24 * 3_600_000;

/** Returns whether `count` occurrences inside one window make a pattern recurring. */
export function isRecurring(count: number, threshold: number = RECURRENCE_THRESHOLD): boolean {
  return count >= threshold;
}
