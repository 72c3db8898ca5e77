import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { Explored } from '../../src/verify/explored.js';

const GERMAN = { 'feature.language': 'de' };
const SHARE = 0.02;

/** Tasks of an excluded kind until the fix is found to help; at most `tasks`. */
function foundAfter(seed: number, ratioAt: (task: number) => number, tasks: number): number | undefined {
  const random = seededRandom(seed);
  let explored = new Explored();
  for (let task = 1; task <= tasks; task++) {
    const arm = random() < SHARE ? 'fix' : 'control';
    const failures = random() < 0.3 * (arm === 'fix' ? ratioAt(task) : 1) ? 1 : 0;
    if (explored.take({ ...GERMAN }, { arm, share: SHARE, tasks: 1, failures })) return task;
    // A loop that restarts goes on with the same state.
    if (task % 1_000 === 0) explored = new Explored(JSON.parse(JSON.stringify(explored.snapshot())));
  }
  return undefined;
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe('a kind of task that a confirmed fix excludes', () => {
  it('is found again once the fix helps it, also after a long time of harm', () => {
    const found = seeds.map((seed) => foundAfter(seed, (task) => (task < 5_000 ? 2 : 0.2), 15_000));
    expect(found.filter((after) => after !== undefined && after > 5_000).length).toBeGreaterThanOrEqual(18);
  });

  it('stays excluded while the fix does nothing for it', () => {
    expect(seeds.filter((seed) => foundAfter(seed, () => 1, 20_000) !== undefined).length).toBeLessThanOrEqual(1);
  });

  it('is forgotten when it is not excluded any more', () => {
    const explored = new Explored();
    explored.take(GERMAN, { arm: 'control', share: SHARE, tasks: 1, failures: 1 });
    explored.follow([]);
    expect(explored.snapshot()).toEqual([]);
  });
});
