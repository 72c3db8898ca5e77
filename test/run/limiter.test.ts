import { describe, expect, it } from 'vitest';
import { type GateLimits, Limiter } from '../../src/run/limiter.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { settled } from './fixture.js';

const limits: GateLimits = { concurrency: 0, queue: 100, spacingMs: 0, burst: 1, resetMs: 0 };

function gate(): {
  clock: ManualClock;
  limiter: Limiter;
  begun: string[];
  ask: (name: string, asked: GateLimits) => void;
} {
  const clock = new ManualClock();
  const limiter = new Limiter(clock, 'model a');
  const begun: string[] = [];
  const ask = (name: string, asked: GateLimits) =>
    void limiter.enter(asked, 0, undefined).then(() => begun.push(`${name}@${clock.monotonic()}`));
  return { clock, limiter, begun, ask };
}

describe('Limiter', () => {
  it('lets so many in at once and the others first come, first served', async () => {
    const { clock, limiter, begun, ask } = gate();
    for (const name of ['1', '2', '3', '4']) ask(name, { ...limits, concurrency: 2 });
    await clock.advance(10);
    expect(begun).toEqual(['1@0', '2@0']);
    limiter.leave();
    await clock.advance(10);
    expect(begun).toEqual(['1@0', '2@0', '3@10']);
    limiter.leave();
    limiter.leave();
    await clock.advance(0);
    expect(begun).toHaveLength(4);
    expect(limiter).toMatchObject({ active: 1, waiting: 0 });
  });

  it('nobody overtakes the line, not even who needs less', async () => {
    const { clock, limiter, begun, ask } = gate();
    ask('1', { ...limits, concurrency: 1 });
    ask('2', { ...limits, concurrency: 1 });
    ask('3', { ...limits, concurrency: 100 });
    await clock.advance(0);
    expect(begun).toEqual(['1@0']);
    limiter.leave();
    await clock.advance(0);
    expect(begun).toEqual(['1@0', '2@0', '3@0']);
  });

  it('spaces attempts out, after a burst where one is allowed', async () => {
    const { clock, begun, ask } = gate();
    for (const name of ['1', '2', '3', '4', '5']) ask(name, { ...limits, spacingMs: 100, burst: 3 });
    await clock.advance(1_000);
    expect(begun).toEqual(['1@0', '2@0', '3@0', '4@100', '5@200']);
    await clock.advance(1_000);
    ask('6', { ...limits, spacingMs: 100, burst: 3 });
    await clock.advance(0);
    expect(begun.at(-1)).toBe('6@2000');
    expect(clock.pending).toBe(0);
  });

  it('holds everybody who is willing to wait until an announced reset', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.announceReset(500);
    ask('patient', { ...limits, resetMs: 1_000 });
    await clock.advance(499);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(['patient@500']);
    limiter.announceReset(5_000);
    ask('impatient', { ...limits, resetMs: 1_000 });
    await clock.advance(0);
    expect(begun.at(-1)).toBe('impatient@500');
  });

  it('keeps to the pace that the provider grants, and lets nobody wait for it longer than allowed', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.learned({ perMs: 0.01, burst: 1 });
    for (const name of ['1', '2', '3']) ask(name, { ...limits, resetMs: 10_000 });
    await clock.advance(1_000);
    const times = begun.map((one) => Number(one.split('@')[1]));
    expect(times).toHaveLength(3);
    expect(times[1]).toBeGreaterThan(180);
    expect(times[2]).toBeLessThan(330);
    limiter.learned({ perMs: 1 / 600_000, burst: 1 });
    ask('4', { ...limits, resetMs: 2_000 });
    await clock.advance(2_000);
    expect(begun.at(-1)).toBe('4@3000');
    ask('unpaced', limits);
    await clock.advance(0);
    expect(begun.at(-1)).toBe('unpaced@3000');
    expect(clock.pending).toBe(0);
  });

  it('refuses when the line is full, naming the limit', async () => {
    const { limiter, ask } = gate();
    const narrow = { ...limits, concurrency: 1, queue: 1 };
    ask('1', narrow);
    ask('2', narrow);
    const { error } = await settled(limiter.enter(narrow, 0, undefined));
    expect(error).toMatchObject({ code: 'queue-full' });
    expect(String(error)).toContain('model a has 1 attempts waiting (limit.queue 1)');
  });

  it('lets who is aborted or out of time leave the line without a trace', async () => {
    const { clock, limiter, begun, ask } = gate();
    const one = { ...limits, concurrency: 1 };
    const controller = new AbortController();
    ask('1', one);
    const aborted = settled(limiter.enter(one, 0, controller.signal));
    const late = settled(limiter.enter(one, 50, undefined));
    ask('4', one);
    controller.abort(new Error('enough'));
    await clock.advance(50);
    expect((await aborted).error).toMatchObject({ message: 'enough' });
    expect((await late).error).toMatchObject({ code: 'timed-out' });
    expect(limiter.waiting).toBe(1);
    limiter.leave();
    await clock.advance(0);
    expect(begun).toEqual(['1@0', '4@50']);
    expect(clock.pending).toBe(0);
    expect((await settled(limiter.enter(one, 0, controller.signal))).error).toMatchObject({ message: 'enough' });
  });
});
