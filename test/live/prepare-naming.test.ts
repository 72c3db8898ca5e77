import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/clock.js';
import { prepareNaming } from '../../src/live/prepare-naming.js';

interface Timer {
  readonly delayMs: number;
  readonly run: () => void;
  readonly background: boolean | undefined;
}

function timersOf(): { readonly timers: readonly Timer[]; readonly clock: Pick<Clock, 'after'> } {
  const timers: Timer[] = [];
  const after: Clock['after'] = (delayMs, run, options) => {
    timers.push({ delayMs, run, background: options?.background });
    return () => undefined;
  };
  return { timers, clock: { after } };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the tables that name errors', () => {
  it('are built piece by piece, by timers that do not keep the process alive', async () => {
    const { timers, clock } = timersOf();
    prepareNaming(clock, async () => undefined);
    expect(timers).toHaveLength(1);
    expect(timers[0]?.delayMs).toBeGreaterThan(0); // a due timer would run before the process ends
    for (let index = 0; index < timers.length; index++) {
      timers[index]?.run();
      await settled();
      expect(timers.length).toBeLessThanOrEqual(index + 2);
    }
    // The start, then rules, words, tokens, a text classified, and a text redacted.
    expect(timers.map(({ background }) => background)).toEqual([true, true, true, true, true, true]);
  });

  it('wait for a cycle that was asked for meanwhile, such as the first one of a dashboard', async () => {
    const { timers, clock } = timersOf();
    let end: () => void = () => undefined;
    const cycle = new Promise<void>((resolve) => {
      end = resolve;
    });
    prepareNaming(clock, () => cycle);
    timers[0]?.run();
    await settled();
    expect(timers).toHaveLength(1);
    end();
    await settled();
    expect(timers).toHaveLength(2);
  });
});
