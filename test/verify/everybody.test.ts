import { describe, expect, it } from 'vitest';
import { liveOnCache } from '../campaigns/worlds/shared-cache.js';

const SEEDS = [1, 2, 3, 4, 5];

describe('a setting of the host over a cache that all tasks share', () => {
  const own = { rate: 0.2, own: -0.1, tasks: 5_000 };
  const kinds = (shared: number) => SEEDS.map((seed) => liveOnCache({ ...own, shared }, seed));

  it('is not confirmed if it spoils the cache for all, although it fails less than control', () => {
    const lives = kinds(0.2);
    expect(lives.filter(({ kind }) => kind === 'confirmed')).toEqual([]);
    const { verdict } = lives.find((life) => life.verdict?.figures.byShare) ?? {};
    const [few, most] = verdict?.figures.byShare ?? [];
    const rateOf = ({ tasks = 1, failures = 0 } = {}) => failures / tasks;
    expect([few?.share, most?.share]).toEqual([expect.closeTo(0.1, 9), 0.9]);
    expect(rateOf(most)).toBeGreaterThan(rateOf(few));
  });

  it('is confirmed if it shares nothing', () => {
    const confirmed = kinds(0).filter(({ kind }) => kind === 'confirmed');
    expect(confirmed.length).toBeGreaterThanOrEqual(4);
  });

  it('needs no ramp where the setting is one of the loop', () => {
    const set = { 'sampling.temperature': 1 };
    const { verdict } = liveOnCache({ ...own, shared: 0, set }, 1);
    expect(verdict?.figures).not.toHaveProperty('byShare');
  });
});
