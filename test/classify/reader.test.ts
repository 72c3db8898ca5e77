import { describe, expect, it } from 'vitest';
import { prepareReader } from '../../src/classify/reader.js';
import type { Clock } from '../../src/contract/clock.js';

describe('the tables of the classifier', () => {
  it('are built in two pieces, by timers that do not keep the process alive', () => {
    const timers: { delayMs: number; run: () => void; background: boolean | undefined }[] = [];
    const clock: Pick<Clock, 'after'> = {
      after: (delayMs, run, options) => {
        timers.push({ delayMs, run, background: options?.background });
        return () => undefined;
      },
    };
    prepareReader(clock);
    expect(timers).toHaveLength(1);
    expect(timers[0]?.delayMs).toBeGreaterThan(0); // a due timer would run before the process ends
    timers[0]?.run();
    expect(timers).toHaveLength(2);
    timers[1]?.run();
    expect(timers.map(({ background }) => background)).toEqual([true, true]);
  });
});
