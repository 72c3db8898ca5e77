/**
 * Builds an id that sorts by time and names the record. Without a time it does not depend on when the file was written.
 */
export function timedId(atMs: number | undefined, own: string): string {
  return `${Math.max(0, Math.floor(atMs ?? 0))
    .toString(36)
    .padStart(9, '0')}-${own}`;
}
