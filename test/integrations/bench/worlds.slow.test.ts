import { expect, it } from 'vitest';
import { live, USELESS } from './worlds.js';

const LIVES = 40;
/** A race of eight takes as long as eight comparisons. */
const RACES = 10;

it.each(USELESS.filter(({ candidates, rounds = 1 }) => candidates * rounds < 10))(
  'rarely calls a useless candidate better: $name',
  async (world) => {
    const lives = world.candidates === 1 ? LIVES : RACES;
    let wrong = 0;
    for (let seed = 1; seed <= lives; seed++) {
      if ((await live(world, seed, { maxPairs: 350 })).some(({ kind }) => kind === 'better')) wrong++;
    }
    // With 5 % each, 7 of 40 or more happen once in 200 runs, and 4 of 10 once in 1,000.
    expect(wrong).toBeLessThan(world.candidates === 1 ? 7 : 4);
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

it('calls a loss of 9 points worse, and never "not worse by 5"', async () => {
  const kinds: string[] = [];
  for (let seed = 1; seed <= LIVES; seed++) {
    const [result] = await live({ name: 'bad', gain: -0.09, candidates: 1 }, seed);
    kinds.push(result?.kind ?? '');
  }
  // The aim is 85 %; at most 5 % may exclude a loss of 5 points.
  expect(kinds.filter((kind) => kind === 'worse').length).toBeGreaterThan(LIVES * 0.85);
  expect(kinds.filter((kind) => kind === 'not-worse').length).toBeLessThan(5);
});
