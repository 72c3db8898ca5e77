import { createHash } from 'node:crypto';

/** Returns a number in [0, 1) that depends on the text and the seed alone. */
export function draw(text: string, seed: number): number {
  return createHash('sha256').update(`${seed}|${text}`).digest().readUInt32BE() / 2 ** 32;
}

/** Returns a generator of numbers in [0, 1) that repeats with the seed. */
export function seededRandom(seed: number): () => number {
  let count = 0;
  return () => draw(String(count++), seed);
}
