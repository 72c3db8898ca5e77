import { describe, expect, it } from 'vitest';
import { BANDS, gainOf, pairsOf, streamOf } from '../campaigns/replay/pairs.js';
import { simulatedPool } from '../campaigns/replay/pools.js';
import { rowOf } from '../campaigns/replay/rows.js';

const pool = simulatedPool();
const row = (name: string, lives: number) => {
  const band = BANDS.find((one) => one.name === name);
  const found = band && rowOf(pool, band, { lives, longest: 3_000, seed: 3 });
  if (!found) throw new Error(`no pairs are ${name}`);
  return found;
};

/** A short run of `npm run campaign -- replay`, on agents that are simulated. */
describe('replayed pairs of agents', () => {
  it('are never confirmed if both are the same agent, while rules that people use keep every third', () => {
    const same = row('the same agent', 60);
    expect(same.confirmed).toBeLessThanOrEqual(0.09);
    expect(same.ended).toBeLessThanOrEqual(1_500);
    expect(same.naive['mean rose']).toBeGreaterThan(0.3);
    expect(same.naive['peeking test']).toBeGreaterThan(0.15);
    expect(same.holds).toBeGreaterThanOrEqual(0.93);
  });

  it('are confirmed if one is better, quickly if it is much better, and never if it is worse', () => {
    const [some, much, worse] = [row('better by 5-10', 40), row('better by > 20', 40), row('worse by 2 or more', 40)];
    expect(some.confirmed).toBeGreaterThanOrEqual(0.8);
    expect(some.noEffect).toBeLessThanOrEqual(0.1);
    expect(much.confirmed).toBeGreaterThanOrEqual(0.97);
    expect(much.medianOfAll).toBeLessThanOrEqual(130);
    expect(much.inflation).toBeLessThan(1.2);
    expect(worse.confirmed).toBe(0);
  });

  it('have the true difference that their pool says', () => {
    const band = BANDS.find(({ name }) => name === 'better by 10-20');
    const [pair] = band ? pairsOf(pool, band) : [];
    if (!pair) throw new Error('no pair');
    const draw = streamOf(pair, 5);
    let gained = 0;
    for (let task = 0; task < 20_000; task++) {
      const { control, fix } = draw();
      gained += Number(control) - Number(fix);
    }
    expect(gained / 200).toBeCloseTo(gainOf(pair), 0);
  });
});
