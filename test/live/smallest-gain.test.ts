import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { SmallestGain } from '../../src/live/options.js';
import { smallestGainOf } from '../../src/live/smallest-gain.js';

function gains(given: SmallestGain | undefined) {
  const problems: string[] = [];
  const gainOf = smallestGainOf(given, (message) => problems.push(message));
  const of = (task: string) => gainOf({ id: `fix-${task}`, task } as unknown as Fix); // no other field is read
  return { of, problems };
}

describe('the smallest gain that the host wants', () => {
  it('is one for all fixes, one per task name, or the answer of a function', () => {
    expect(gains(undefined).of('ask')).toBeUndefined();
    expect(gains(0.02).of('ask')).toBe(0.02);
    const byTask = gains({ ask: 0.1 });
    expect([byTask.of('ask'), byTask.of('search'), byTask.of('constructor')]).toEqual([0.1, undefined, undefined]);
    const byFix = gains(({ task }) => (task === 'ask' ? 0.03 : undefined));
    expect([byFix.of('ask'), byFix.of('search'), byFix.problems]).toEqual([0.03, undefined, []]);
  });

  it('falls back to the default, with a report, if the function is wrong or throws', () => {
    const wrong = gains(() => 5);
    expect([wrong.of('ask'), wrong.problems]).toEqual([
      undefined,
      ['smallestGain of fix-ask is 5: the default is used; give a number above 0 and below 1'],
    ]);
    const throwing = gains(() => {
      throw new Error('no table');
    });
    expect([throwing.of('ask'), throwing.problems]).toEqual([
      undefined,
      ['smallestGain of fix-ask failed: the default is used: no table'],
    ]);
  });
});
