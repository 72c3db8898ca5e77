import { describe, expect, it } from 'vitest';
import { BackgroundCycles } from '../../src/live/background-cycles.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

function world() {
  const clock = new ManualClock();
  const ends: (() => void)[] = [];
  const cycles = new BackgroundCycles(clock, () => new Promise<void>((resolve) => ends.push(resolve)));
  return { clock, cycles, runs: () => ends.length, end: () => ends.at(-1)?.() };
}

describe('cycles in the background', () => {
  it('run once a minute by default, or at the given interval', async () => {
    const { clock, cycles, runs } = world();
    cycles.start({});
    await clock.advance(59_999);
    expect(runs()).toBe(0);
    await clock.advance(1);
    expect(runs()).toBe(1);
    cycles.start({ everyMs: 10 });
    await clock.advance(10);
    expect(runs()).toBe(2);
  });

  it('never overlap: the next one is scheduled when one has ended', async () => {
    const { clock, cycles, runs, end } = world();
    cycles.start({ everyMs: 100 });
    await clock.advance(1_000);
    expect(runs()).toBe(1);
    end();
    await clock.advance(99);
    expect(runs()).toBe(1);
    await clock.advance(1);
    expect(runs()).toBe(2);
  });

  it('go on after a cycle that failed', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const cycles = new BackgroundCycles(clock, () => Promise.reject(new Error(`failure ${++runs}`)));
    cycles.start({ everyMs: 100 });
    await clock.advance(350);
    expect(runs).toBe(3);
    cycles.stop();
  });

  it('end with stop, also if a cycle is running, and leave no timer behind', async () => {
    const { clock, cycles, runs, end } = world();
    cycles.stop();
    cycles.start({ everyMs: 100 });
    cycles.stop();
    expect(clock.pending).toBe(0);
    cycles.start({ everyMs: 100 });
    await clock.advance(100);
    cycles.stop();
    end();
    await clock.advance(1_000);
    expect([runs(), clock.pending]).toEqual([1, 0]);
  });

  it('have one schedule, also if they are restarted while a cycle runs', async () => {
    const { clock, cycles, end } = world();
    cycles.start({ everyMs: 100 });
    await clock.advance(100);
    cycles.start({ everyMs: 500 });
    end();
    await clock.advance(0);
    expect(clock.pending).toBe(1);
  });

  it('do not keep the process alive', () => {
    const backgrounds: unknown[] = [];
    const clock = new ManualClock();
    const after = (_delayMs: number, _run: () => void, options: unknown) => {
      backgrounds.push(options);
      return () => {};
    };
    new BackgroundCycles(Object.assign(clock, { after }), async () => {}).start({});
    expect(backgrounds).toEqual([{ background: true }]);
  });

  it('refuse an interval below 10 ms, which would leave no time for the host', () => {
    const { clock, cycles } = world();
    for (const everyMs of [9, Number.NaN, '100' as unknown as number]) {
      expect(() => cycles.start({ everyMs })).toThrow(/^everyMs is .*: give milliseconds, at least 10$/);
    }
    expect(clock.pending).toBe(0);
  });
});
