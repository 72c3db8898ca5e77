import type { Value } from './block-lines.js';
import { isPosition } from './check-record.js';

/** Longest gap that removed lines may leave. A position beyond it cannot be distinguished from a forged one. */
const MAX_GAP = 1_000_000;

/**
 * Sorts the lines of a segment whose positions are out of order. A line is in place if it follows the line before it or
 * precedes the line after it. Other lines that fill a gap were moved. A position that occurred before, or that lies
 * beyond the end, is wrong.
 */
export function sortOut(
  lines: readonly Value[],
  { from, end, hidden }: { readonly from: number; readonly end: number | undefined; readonly hidden: number },
): { readonly kept: ReadonlyMap<number, Value>; readonly wrong: readonly Value[] } {
  const positionOf = ({ n }: Value) => (isPosition(n) && n >= from && n < (end ?? Infinity) ? n : undefined);
  const positions = lines.map(positionOf);
  const kept = new Map<number, Value>();
  const others: Value[] = [];
  // Expected from the number of lines, raised by lines that are in place.
  let limit = from + lines.length + hidden;
  for (const [index, value] of lines.entries()) {
    const position = positions[index];
    const before = index === 0 ? from - 1 : positions[index - 1];
    const isInPlace = position !== undefined && (position - 1 === before || position + 1 === positions[index + 1]);
    if (!isInPlace || kept.has(position) || position > limit + MAX_GAP) {
      others.push(value);
      continue;
    }
    kept.set(position, value);
    limit = Math.max(limit, position + 1);
  }
  const wrong: Value[] = [];
  for (const value of others) {
    const position = positionOf(value);
    if (position === undefined || position >= limit || kept.has(position)) wrong.push(value);
    else kept.set(position, value);
  }
  return { kept: new Map([...kept].sort(([one], [other]) => one - other)), wrong };
}
