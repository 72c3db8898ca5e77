/**
 * Returns the words of a space-separated list. Mark calls at the top of a file as pure, so that bundlers can remove
 * unused lists.
 */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
