/** The one definition of recurring, used everywhere: seen at least this often inside the window. */
export const RECURRENCE_THRESHOLD = 3;
export const WINDOW_MS = 7 * 24 * 3_600_000;

/** Whether `count` occurrences inside one window make a pattern that comes back. */
export function isRecurring(count: number, threshold: number = RECURRENCE_THRESHOLD): boolean {
  return count >= threshold;
}
