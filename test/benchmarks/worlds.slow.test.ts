import { expect, it } from 'vitest';
import { live, USELESS } from './worlds.js';

const LIVES = 40;

it.each(USELESS.filter(({ candidates }) => candidates < 10))(
  'rarely calls a useless candidate better: $name',
  async (world) => {
    let wrong = 0;
    for (let seed = 1; seed <= LIVES; seed++) {
      if ((await live(world, seed)).some(({ kind }) => kind === 'better')) wrong++;
    }
    // With 5 % each, 7 of 40 or more happen once in 200 runs.
    expect(wrong).toBeLessThan(7);
  },
);

it('finds a gain of 18 points in about 50 pairs', async () => {
  const pairs: number[] = [];
  for (let seed = 1; seed <= LIVES; seed++) {
    const [result] = await live({ name: 'good', gain: 0.18, candidates: 1 }, seed);
    if (result?.kind === 'better') pairs.push(result.evidence.pairs);
  }
  expect(pairs.length).toBeGreaterThan(36);
  expect(pairs.sort((a, b) => a - b)[pairs.length >> 1]).toBeLessThan(70);
});
