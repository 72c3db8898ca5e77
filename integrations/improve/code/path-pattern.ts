/**
 * Returns whether a path matches a pattern: `*` and `?` match within a name, and `**` matches any number of folders. Takes
 * time in proportion to the two lengths multiplied.
 */
export function matchesPattern(pattern: string, path: string): boolean {
  return matchesParts(pattern.split('/'), path.split('/'), '**', matchesName);
}

function matchesName(pattern: string, name: string): boolean {
  return matchesParts([...pattern], [...name], '*', (part, character) => part === '?' || part === character);
}

/** Matches two lists. `any` stands for any number of parts; on a mismatch, only the last one takes one part more. */
function matchesParts(
  pattern: readonly string[],
  parts: readonly string[],
  any: string,
  isMatch: (pattern: string, part: string) => boolean,
): boolean {
  let [at, last, taken] = [0, -1, 0];
  for (let index = 0; index < parts.length; ) {
    const wanted = pattern[at];
    if (wanted === any) [last, taken, at] = [at, index, at + 1];
    else if (wanted !== undefined && isMatch(wanted, parts[index] ?? '')) [index, at] = [index + 1, at + 1];
    else if (last >= 0) [taken, index, at] = [taken + 1, taken + 1, last + 1];
    else return false;
  }
  return pattern.slice(at).every((rest) => rest === any);
}
