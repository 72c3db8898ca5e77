import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/clock.js';
import { prepareNaming } from '../../src/live/prepare-naming.js';

describe('the tables that name errors', () => {
  it('are built piece by piece, by timers that do not keep the process alive', () => {
    const timers: { delayMs: number; run: () => void; background: boolean | undefined }[] = [];
    const clock: Pick<Clock, 'after'> = {
      after: (delayMs, run, options) => {
        timers.push({ delayMs, run, background: options?.background });
        return () => undefined;
      },
    };
    prepareNaming(clock);
    expect(timers).toHaveLength(1);
    expect(timers[0]?.delayMs).toBeGreaterThan(0); // a due timer would run before the process ends
    for (let index = 0; index < timers.length; index++) {
      timers[index]?.run();
      expect(timers.length).toBeLessThanOrEqual(index + 2);
    }
    // Rules, words, tokens, a text classified, and a text redacted.
    expect(timers.map(({ background }) => background)).toEqual([true, true, true, true, true]);
  });
});
