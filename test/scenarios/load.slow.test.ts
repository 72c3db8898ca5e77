import { describe, expect, it } from 'vitest';
import { compare } from '../campaigns/load/compare.js';
import { summaryOf } from '../campaigns/load/table.js';
import { WORLDS } from '../campaigns/load/worlds.js';

/** The shorter cut of `npm run campaign -- load`: a quarter of the tasks. */
async function cut(name: string) {
  const world = WORLDS.find((one) => one.name === name);
  if (world === undefined) throw new Error(`no world ${name}`);
  return compare({ ...world, tasks: world.tasks / 4 }, 13);
}

describe('a host under load', () => {
  it('is not worse off with the loop, whatever refuses, and better where a setting helps', async () => {
    const resets = await cut('resets at random, 200/s of 0.2 s');
    const all = [
      resets,
      await cut('429 at random, 2/s of 30 s, not repeatable'),
      await cut('a cascade, 50/s of 0.2 s at 12 places, not repeatable'),
    ];
    expect(all.map(({ broken }) => broken)).toEqual([[], [], []]);
    expect(resets.whole.loop).toBeGreaterThan(0.5 * resets.whole.best);
    expect(all[1]?.tried).toEqual(['limit.resetMs: failed']);
    expect(summaryOf(all).text).toContain('3 worlds; a bound is broken in 0');
  }, 60_000);
});
