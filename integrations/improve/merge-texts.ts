import { comparing } from 'rsi-loop/kit';

/** Replacement of the pieces from `from` to `to` (exclusive). */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly added: readonly string[];
}

/** White space, a sentence, or the rest of a line. */
const PIECE = /\s+|\S[^\n]*?[.!?](?=\s|$)|\S[^\n]*/g;

/**
 * Merges two changes of the same text by sentences and lines. Returns `undefined` if both change the same sentence.
 * Additions at the same place are kept, the first one first.
 */
export function mergeTexts(base: string, first: string, second: string): string | undefined {
  if (first === base || first === second) return second;
  if (second === base) return first;
  const pieces = piecesOf(base);
  const edits = editsOf(pieces, piecesOf(first));
  const more = editsOf(pieces, piecesOf(second)).flatMap((edit) => withoutSame(edit, edits));
  if (more.some((edit) => edits.some((other) => overlap(edit, other)))) return undefined;
  let at = 0;
  let merged = '';
  // Sorting is stable: at the same place, the first change comes first.
  for (const { from, to, added } of [...edits, ...more].sort((a, b) => a.from - b.from)) {
    merged = joined(merged, pieces.slice(at, from).join(''));
    merged = joined(merged, added.join(''));
    at = Math.max(at, to);
  }
  return joined(merged, pieces.slice(at).join(''));
}

/** Returns what a change of a text removes and adds: the same for the same change of another text. */
export function textChange(before: string, after: string): readonly string[] {
  const steps = comparing.diffSteps(piecesOf(before), piecesOf(after));
  return steps.flatMap(({ sign, line }) => (sign === ' ' || line.trim() === '' ? [] : [sign + line]));
}

function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const edits: { from: number; to: number; added: string[] }[] = [];
  let place = 0;
  let open: (typeof edits)[number] | undefined;
  for (const { sign, line } of comparing.diffSteps(before, after)) {
    if (sign === ' ') {
      open = undefined;
      place++;
      continue;
    }
    if (!open) {
      open = { from: place, to: place, added: [] };
      edits.push(open);
    }
    if (sign === '+') open.added.push(line);
    else open.to = ++place;
  }
  return edits;
}

/** Removes the pieces that another change adds at the same place. Returns nothing if the rest changes nothing. */
function withoutSame(edit: Edit, others: readonly Edit[]): readonly Edit[] {
  const other = others.find(({ from, to }) => from === edit.from && to === edit.to);
  if (!other) return [edit];
  if (edit.added.join('') === other.added.join('')) return [];
  if (edit.from < edit.to) return [edit];
  const differs = edit.added.findIndex((piece, at) => piece !== other.added[at]);
  const same = differs < 0 ? edit.added : edit.added.slice(0, differs);
  // The space before a sentence stays.
  const sentences = same.findLastIndex((piece) => piece.trim() !== '') + 1;
  return sentences === edit.added.length ? [] : [{ ...edit, added: edit.added.slice(sentences) }];
}

function overlap(a: Edit, b: Edit): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Joins two pieces so that no two sentences touch. */
function joined(before: string, after: string): string {
  const touch = /\S/.test(before.at(-1) ?? ' ') && /\S/.test(after.at(0) ?? ' ');
  return touch ? `${before}\n${after}` : before + after;
}
