import { describe, expect, it } from 'vitest';
import { RSILoop } from '../../src/index.js';
import { seededRandom } from '../../src/lib/random.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const MINUTE_MS = 60_000;
const STEPS = 4;
const SWITCH = { type: 'number', default: 0, min: 0, max: 1, unit: 'x', whole: true } as const;
const names = Array.from({ length: STEPS }, (_, index) => `my.step${index}` as const);

/** Runs tasks that fail in 90 %, half as many with each step in force. Returns the steps in force at the end. */
async function climb(offered: number): Promise<number> {
  const clock = new ManualClock();
  const random = seededRandom(3);
  const ownSettings = Object.fromEntries(names.map((name) => [name, SWITCH]));
  const loop = new RSILoop({ clock, random: seededRandom(8), ownSettings });
  const missing = () => names.filter((name) => loop.policy('solve')[name] !== 1);
  loop.fixer.register({
    name: 'next-step',
    match: ({ kind }) => kind === 'failure',
    propose: () =>
      missing()
        .slice(0, offered)
        .map((name) => ({ set: { [name]: 1 }, safe: true, reason: name })),
  });
  await loop.ready();
  for (let task = 1; task <= 5_000 && missing().length > 0; task++) {
    const begun = loop.begin('solve');
    const taken = names.filter((name) => begun.policy[name] === 1).length;
    const success = random() >= 0.9 * 0.5 ** taken;
    begun.end(success ? { success } : { success, error: 'tests failed', durationMs: MINUTE_MS });
    await clock.advance(3 * MINUTE_MS);
    if (task % 20 === 0) await loop.runCycle();
  }
  const climbed = STEPS - missing().length;
  await loop.close();
  return climbed;
}

describe('a ladder of four improvements', () => {
  it('is climbed to its top, although only one of them is offered at a time', async () => {
    expect(await climb(1)).toBe(STEPS);
  });
});
