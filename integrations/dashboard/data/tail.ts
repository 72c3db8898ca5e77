import type { Cursor } from 'rsi-loop';
import type { WriterState } from 'rsi-loop/testing';

/**
 * Returns a position before `end` from which about `limit` records follow. They come from the living processes in equal
 * parts, and from ended ones only if these have too few: the names of processes sort by their start.
 */
export function tailOf(end: Cursor, writers: readonly WriterState[], limit: number): Cursor {
  const living = new Set(writers.filter(({ alive }) => alive).map(({ writer }) => writer));
  const counts = Object.entries(end);
  const ofLiving = counts.filter(([writer]) => living.has(writer));
  const most = evenShare(
    ofLiving.map(([, count]) => count),
    limit,
  );
  const from: Record<string, number> = {};
  let left = limit;
  const take = (writer: string, count: number, wanted: number) => {
    const taken = Math.max(0, Math.min(count, wanted));
    from[writer] = count - taken;
    left -= taken;
  };
  for (const [writer, count] of ofLiving) take(writer, count, most);
  const ended = counts.filter(([writer]) => !living.has(writer)).sort(([a], [b]) => (a < b ? 1 : -1));
  for (const [writer, count] of ended) take(writer, count, left);
  return from;
}

/** Returns the largest number of records per process with which all together have at most `limit`. */
function evenShare(counts: readonly number[], limit: number): number {
  const sorted = [...counts].sort((a, b) => a - b);
  let left = limit;
  for (const [index, count] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (count > share) return share;
    left -= count;
  }
  return limit;
}
