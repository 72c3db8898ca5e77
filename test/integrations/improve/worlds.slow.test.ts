import { describe, expect, it } from 'vitest';
import { type Life, live, type Method, meanRose, minibatch, proven, USELESS, WEAK, type World } from './worlds.js';

const RUNS = 4_000;

async function lives(world: World, method: Method, count: number): Promise<readonly Life[]> {
  const ends: Life[] = [];
  for (let seed = 1; seed <= count; seed++) ends.push(await live(world, method, { seed, runs: RUNS }));
  return ends;
}

/** A short cut of `npm run campaign -- improve`. */
describe('at equal runs', { timeout: 120_000 }, () => {
  it('keeps nothing useless where nothing helps, unlike rules without a proof', async () => {
    const ours = await lives(USELESS, proven, 4);
    // With 5 % each, 2 of 4 happen once in 70 campaigns.
    expect(ours.filter((life) => life.proven !== undefined).length).toBeLessThan(2);
    expect(ours.every(({ runs }) => runs <= RUNS)).toBe(true);
    const chosen = await lives(USELESS, meanRose, 6);
    expect(chosen.filter(({ found }) => found === 0).length).toBeGreaterThan(4);
  });

  it('finds and proves many weak changes more often than the two other rules', async () => {
    const better = (ends: readonly Life[]) => ends.filter(({ proven = 0 }) => proven >= 0.05).length;
    const ours = await lives(WEAK, proven, 6);
    expect(better(ours)).toBeGreaterThan(4);
    for (const rule of [meanRose, minibatch]) expect(better(await lives(WEAK, rule, 6))).toBeLessThan(better(ours));
  });
});
