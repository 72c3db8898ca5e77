/** Counts are kept per half window; three of them always hold a whole one. */
export const GENERATIONS_PER_WINDOW = 2;
export const KEPT_GENERATIONS = 3;

/**
 * Generation, count, generation, count, oldest first: the newest generations in which something was counted. One flat list,
 * because a wide world has hundreds of thousands of them.
 */
export type GenerationCounts = number[];

/** Adds to the count of a generation; one that is older than all of a full list is left out. */
export function addToGeneration(counts: GenerationCounts, generation: number, amount: number): void {
  let at = counts.length - 2;
  while (at >= 0 && (counts[at] ?? 0) > generation) at -= 2;
  if (at >= 0 && counts[at] === generation) {
    counts[at + 1] = (counts[at + 1] ?? 0) + amount;
    return;
  }
  const isFull = counts.length >= 2 * KEPT_GENERATIONS;
  if (isFull && at < 0) return;
  counts.splice(at + 2, 0, generation, amount);
  if (isFull) counts.splice(0, 2);
}

/** Sum over the generations from `first` to `last`, both included. */
export function sumGenerations(counts: GenerationCounts, first: number, last: number): number {
  let sum = 0;
  for (let at = counts.length - 2; at >= 0; at -= 2) {
    const generation = counts[at] ?? 0;
    if (generation < first) break;
    if (generation <= last) sum += counts[at + 1] ?? 0;
  }
  return sum;
}
