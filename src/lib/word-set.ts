/**
 * The words of a list, written with blanks between them. Mark calls at the top of a file as pure, so that bundlers leave
 * the list out where nobody asks for it.
 */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
