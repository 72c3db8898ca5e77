import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import { createCapture } from '../../src/run/capture.js';
import { Executor } from '../../src/run/executor.js';
import { Runner } from '../../src/run/runner.js';
import { fixture, settled } from './fixture.js';

const refused = (retryAfter: string) =>
  Object.assign(new Error('429 Too Many Requests'), { status: 429, headers: { 'retry-after': retryAfter } });

/** A runner whose host has `own` settings, and a fix that sets others. */
function withFix(own: Settings, set: Settings, priceMs = 20_000) {
  const { clock, begin, problems } = fixture({ ...own, ...set });
  const trips: string[] = [];
  const report = () => {};
  const settings = Object.keys(set);
  const executor = new Executor({
    clock,
    random: () => 0,
    report,
    ownPolicy: mergePolicy([own]),
    fixesIn: () => [{ fixId: 'fix-1' as FixId, settings, rate: 0.1, isBraked: true }],
    priceOf: () => priceMs,
    onTrip: (_, reason) => trips.push(reason),
  });
  const runner = new Runner(begin, executor, createCapture(), report);
  const takes = (ms: number) => () => new Promise<void>((resolve) => void clock.after(ms, resolve));
  return { clock, runner, trips, takes, problems };
}

describe('the waits of a task', () => {
  it('are at most the price in all, whatever the fixes set', async () => {
    const { clock, runner, takes } = withFix({}, { 'limit.spacingMs': 10_000 }, 15_000);
    const began: number[] = [];
    for (let task = 0; task < 5; task++) {
      void runner.run('ask', () => {
        began.push(clock.monotonic());
        return takes(10)();
      });
    }
    await clock.advance(60_000);
    expect(began).toEqual([0, 10_000, 15_000, 15_000, 15_000]);
  });

  it('follow the limits of the host without a bound', async () => {
    const { clock, runner, takes, trips } = withFix({ 'limit.concurrency': 1 }, {}, 1_000);
    const ends: number[] = [];
    for (let task = 0; task < 12; task++) void runner.run('ask', takes(1_000)).then(() => ends.push(clock.monotonic()));
    await clock.advance(20_000);
    expect(ends.at(-1)).toBe(12_000);
    expect(trips).toEqual([]);
  });

  it('leave a task three quarters of its own time', async () => {
    const { clock, runner, takes } = withFix({}, { 'limit.concurrency': 1 });
    void runner.run('ask', takes(60_000));
    const second = settled(runner.run('ask', takes(2_000), { timeoutMs: 4_000 }));
    await clock.advance(4_000);
    expect((await second).error).toBeUndefined();
  });

  it('do not refuse a task whose fix has no place left for it', async () => {
    const { clock, runner, takes, trips } = withFix({}, { 'limit.concurrency': 1, 'limit.queue': 1 });
    const runs = [1, 2, 3, 4].map(() => settled(runner.run('ask', takes(1_000))));
    await clock.advance(5_000);
    expect((await Promise.all(runs)).flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(trips[0]).toBe('its queue was full');
  });

  it('are not begun if a server asks a fix for more than the price', async () => {
    const set: Settings = { 'retries.rate_limit': 2, 'backoff.maxMs': 60_000 };
    for (const [retryAfter, calls] of [
      ['15', 2],
      ['25', 1],
    ] as const) {
      const { clock, runner } = withFix({}, set);
      let made = 0;
      const run = settled(
        runner.run(
          'ask',
          () => {
            made++;
            if (made === 1) throw refused(retryAfter);
          },
          { idempotent: true },
        ),
      );
      await clock.advance(60_000);
      await run;
      expect(made).toBe(calls);
    }
  });

  it('do not begin after an attempt in which the fix was taken back', async () => {
    const set: Settings = { 'retries.rate_limit': 2, 'backoff.maxMs': 60_000 };
    const withIt = mergePolicy([set]);
    const without = mergePolicy([]);
    let policy = withIt;
    const { clock, runner } = fixture({}, { ports: { policyFor: () => policy } });
    const work = async () => {
      await new Promise<void>((resolve) => void clock.after(5_000, resolve));
      throw refused('15');
    };
    let endedAtMs = 0;
    const run = settled(runner.run('ask', work, { idempotent: true })).then(() => {
      endedAtMs = clock.monotonic();
    });
    await clock.advance(1_000);
    policy = without;
    await clock.advance(60_000);
    await run;
    expect(endedAtMs).toBe(5_000);
  });

  it('leave the last attempt the time that the host gives, if a fix cuts attempts short and calls again', async () => {
    const { clock, runner, takes } = withFix(
      {},
      { 'timeout.attemptMs': 1_000, 'retries.timeout': 1, 'backoff.baseMs': 10 },
    );
    let calls = 0;
    const work = () => {
      calls++;
      return takes(5_000)();
    };
    const run = settled(runner.run('ask', work, { idempotent: true, timeoutMs: 60_000 }));
    await clock.advance(60_000);
    expect((await run).error).toBeUndefined();
    expect(calls).toBe(2);
  });
});
