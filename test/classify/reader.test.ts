import { describe, expect, it } from 'vitest';
import { prepareReader } from '../../src/classify/reader.js';
import type { Clock } from '../../src/contract/clock.js';

describe('the tables of the classifier', () => {
  it('are built in two pieces, by timers that do not keep the process alive', () => {
    const timers: { run: () => void; background: boolean | undefined }[] = [];
    const clock: Pick<Clock, 'after'> = {
      after: (_, run, options) => {
        timers.push({ run, background: options?.background });
        return () => undefined;
      },
    };
    prepareReader(clock);
    expect(timers).toHaveLength(1);
    timers[0]?.run();
    expect(timers).toHaveLength(2);
    timers[1]?.run();
    expect(timers.map(({ background }) => background)).toEqual([true, true]);
  });
});
