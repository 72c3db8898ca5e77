/** Line of a comparison. A changed line is one that was removed and one that was added. */
export type DiffLine =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }
  | { readonly kind: 'added'; readonly after: number; readonly text: string };

/** Above this number of line pairs the comparison does not look for the longest common part. */
const MAX_PAIRS = 1_000_000;

/** Compares two texts line by line by their longest common subsequence. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const same = (from: number, to: number, shift: number) =>
    old.slice(from, to).map((text, index): DiffLine => {
      const at = from + index + 1;
      return { kind: 'same', before: at, after: at + shift, text };
    });
  return [
    ...same(0, start, 0),
    ...middle(old.slice(start, oldEnd), now.slice(start, nowEnd), start),
    ...same(oldEnd, old.length, nowEnd - oldEnd),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function middle(old: readonly string[], now: readonly string[], start: number): readonly DiffLine[] {
  const removed = (index: number): DiffLine => ({ kind: 'removed', before: start + index + 1, text: old[index] ?? '' });
  const added = (index: number): DiffLine => ({ kind: 'added', after: start + index + 1, text: now[index] ?? '' });
  if (old.length * now.length > MAX_PAIRS) return [...old.map((_, i) => removed(i)), ...now.map((_, j) => added(j))];
  const lengths = commonLengths(old, now);
  const at = (i: number, j: number) => lengths[i * (now.length + 1) + j] ?? 0;
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const text = old[i];
    if (text !== undefined && text === now[j]) {
      lines.push({ kind: 'same', before: start + i + 1, after: start + j + 1, text });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(i));
      i += 1;
    } else {
      lines.push(added(j));
      j += 1;
    }
  }
  return lines;
}

/** Returns, for each pair of positions, the length of the longest common subsequence of what follows. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const diagonal = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      const best = Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
      lengths[i * width + j] = old[i] === now[j] ? diagonal : best;
    }
  }
  return lengths;
}
