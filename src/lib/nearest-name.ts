import { readAs } from './must-be.js';
/** Returns the known name that a mistyped one most likely means; `undefined` if none is similar. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const distances = readAs('names', 'texts', () =>
    names.map((name) => ({ name, edits: editDistance(wanted, name.toLowerCase()) })),
  );
  const [nearest] = distances.sort((a, b) => a.edits - b.edits);
  return nearest && nearest.edits <= Math.max(1, Math.floor(wanted.length / 4)) ? nearest.name : undefined;
}

/** Returns the Levenshtein distance: single-character edits between two words. */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1;
      const edits = [(previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + change];
      current.push(Math.min(...edits));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
