import { LoopError } from 'rsi-loop';

/** Characters before a removed part that show its place. */
const CONTEXT = 200;

/**
 * Removes parts from a text that a person has edited.
 * @throws LoopError `store-conflict` if a part is missing or not unique; nothing is removed then.
 */
export function withoutTexts(text: string, parts: readonly { readonly text: string }[], shown: string): string {
  let rest = text;
  for (const { text: own } of parts) {
    if (rest.split(own).length !== 2) {
      const line = own.trim().split('\n', 1)[0] ?? '';
      throw new LoopError(
        'store-conflict',
        `${shown} was edited, and "${line}" is not in it exactly once: remove it by hand`,
      );
    }
    rest = rest.replace(own, () => '');
  }
  return rest;
}

/**
 * Puts back what was removed between two versions of a text, although a person has edited the later one.
 * @throws LoopError `store-conflict` if the place of a part cannot be found; nothing is put back then.
 */
export function putBack(
  text: string,
  { before, after }: { readonly before: string; readonly after: string },
  shown: string,
): string {
  let whole = text;
  for (const { start, part } of removedParts(before, after)) {
    const place = placeOf(whole, before.slice(Math.max(0, start - CONTEXT), start), start);
    if (place === undefined) {
      const line = part.trim().split('\n', 1)[0] ?? '';
      throw new LoopError('store-conflict', `${shown} was edited where "${line}" was: put it back by hand`);
    }
    // By other means, such as git, the part is there already.
    if (whole.startsWith(part, place)) continue;
    whole = whole.slice(0, place) + part + whole.slice(place);
  }
  return whole;
}

/** Returns the parts of `before` that `after` lacks, in order. `after` is `before` with whole lines removed. */
function removedParts(before: string, after: string): readonly { readonly start: number; readonly part: string }[] {
  const kept = linesOf(after);
  const parts: { start: number; part: string }[] = [];
  let start = 0;
  let next = 0;
  for (const line of linesOf(before)) {
    const last = parts.at(-1);
    if (line === kept[next]) next++;
    else if (last && last.start + last.part.length === start) last.part += line;
    else parts.push({ start, part: line });
    start += line.length;
  }
  return parts;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** Returns the end of the longest context that is in the text exactly once, by whole lines. */
function placeOf(text: string, context: string, start: number): number | undefined {
  if (start === 0) return 0;
  const lines = linesOf(context);
  for (let from = 0; from < lines.length; from++) {
    const wanted = lines.slice(from).join('');
    const found = text.indexOf(wanted);
    if (wanted.trim() !== '' && found >= 0 && text.indexOf(wanted, found + 1) < 0) return found + wanted.length;
  }
  return undefined;
}
