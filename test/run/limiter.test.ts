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

  it('no call overtakes the line, not even one that needs less', async () => {
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

  it('keeps to the pace that the provider grants, and lets no call wait for it longer than allowed', async () => {
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

  it('lets an attempt begin at once without a line, and refuses it if it would have to wait', async () => {
    const { limiter } = gate();
    const noLine = { ...limits, concurrency: 1, queue: 0 };
    expect((await settled(limiter.enter(noLine, 0, undefined))).error).toBeUndefined();
    expect((await settled(limiter.enter(noLine, 0, undefined))).error).toMatchObject({ code: 'queue-full' });
    expect(limiter).toMatchObject({ active: 1, waiting: 0 });
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

  it('counts attempts that no limit applies to, for those that one applies to', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.pass();
    expect(limiter.active).toBe(1);
    ask('1', { ...limits, concurrency: 1 });
    await clock.advance(0);
    expect(begun).toEqual([]);
    limiter.leave();
    await clock.advance(0);
    expect(begun).toEqual(['1@0']);
  });

  it('lets no attempt without limits keep a waiting one from its turn', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.pass();
    ask('waits', { ...limits, concurrency: 1 });
    for (let later = 0; later < 10; later++) limiter.pass();
    limiter.leave('passed');
    await clock.advance(0);
    expect(begun).toEqual(['waits@0']);
    expect(limiter.active).toBe(11);
  });

  it('keeps no attempt waiting for limits that apply to others only', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.announceReset(5_000);
    ask('paced', { ...limits, resetMs: 10_000 });
    ask('narrow', { ...limits, concurrency: 1 });
    ask('spaced', { ...limits, spacingMs: 10 });
    await clock.advance(0);
    expect(begun).toEqual(['narrow@0', 'spaced@0']);
  });

  it('looks the limits of waiting attempts up again, and lets those go on that have none left', async () => {
    const { clock, limiter, begun, ask } = gate();
    const one = { ...limits, concurrency: 1 };
    let inForce: GateLimits | undefined = one;
    ask('first', one);
    for (const name of ['a', 'b', 'c']) {
      const waiting = limiter.enter(one, 0, undefined, { limitsNow: () => inForce });
      void waiting.then((how) => begun.push(`${name} ${how}`));
    }
    limiter.recheck();
    await clock.advance(0);
    expect(begun).toEqual(['first@0']);
    inForce = { ...limits, concurrency: 2 };
    limiter.recheck();
    await clock.advance(0);
    expect(begun).toEqual(['first@0', 'a limited']);
    inForce = undefined;
    limiter.recheck();
    await clock.advance(0);
    expect(begun).toEqual(['first@0', 'a limited', 'b passed', 'c passed']);
    expect(limiter).toMatchObject({ active: 4, waiting: 0 });
  });

  it('lets an attempt wait no longer than its terms say, then under the limits of the host', async () => {
    const { clock, limiter, begun, ask } = gate();
    const few = { ...limits, concurrency: 1 };
    ask('first', few);
    const own = { ...limits, concurrency: 3 };
    void limiter.enter(few, 0, undefined, { mostMs: 200, own }).then(() => begun.push(`own@${clock.monotonic()}`));
    void limiter.enter(few, 0, undefined, { mostMs: 100 }).then(() => begun.push(`free@${clock.monotonic()}`));
    await clock.advance(1_000);
    expect(begun).toEqual(['first@0', 'free@100', 'own@200']);
    expect(clock.pending).toBe(0);
  });

  it('knows no pace before the provider refused or stated one, and takes over what another process learned', () => {
    const { limiter } = gate();
    expect(limiter.pace).toBeUndefined();
    limiter.learned({ perMs: 0.5, burst: 3 });
    expect(limiter.pace).toEqual({ perMs: 0.5, burst: 3 });
  });

  it('learns the pace from refusals after a busy stretch', async () => {
    const { clock, limiter } = gate();
    const call = async (isRefused: boolean) => {
      const startMs = clock.monotonic();
      limiter.pass();
      await clock.advance(10);
      if (isRefused) limiter.refused(startMs, clock.monotonic(), undefined);
      limiter.leave();
    };
    await call(true);
    expect(limiter.pace).toBeUndefined();
    // One call in 100 ms is granted.
    for (let round = 0; round < 6; round++) {
      for (let granted = 0; granted < 5; granted++) {
        await call(false);
        await clock.advance(90);
      }
      await call(true);
    }
    const { perMs = 0 } = limiter.pace ?? {};
    expect(perMs * 100).toBeGreaterThan(0.5);
    expect(perMs * 100).toBeLessThan(2);
  });

  it('learns the pace that a provider states with its answers', async () => {
    const { clock, limiter } = gate();
    for (let answer = 0; answer < 5; answer++) {
      limiter.pass();
      await clock.advance(100);
      limiter.learn({ limit: 10, remaining: 9, resetMs: 1_000 });
      limiter.leave();
    }
    expect(limiter.pace?.burst).toBe(10);
    // Half a call to one and a half are missing, and come back within a second.
    expect((limiter.pace?.perMs ?? 0) * 1_000).toBeGreaterThanOrEqual(0.5);
    expect((limiter.pace?.perMs ?? 0) * 1_000).toBeLessThanOrEqual(1.5);
  });

  it('holds one timer, and none when no call waits', async () => {
    const { clock, limiter, ask } = gate();
    const one = { ...limits, concurrency: 1, spacingMs: 100 };
    for (const name of ['1', '2', '3']) ask(name, one);
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    limiter.leave();
    await clock.advance(0);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    limiter.leave();
    await clock.advance(100);
    limiter.leave();
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });

  it('waits for a reset that is just as far as allowed, and for none if none is allowed', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.announceReset(1_000);
    limiter.announceReset(200);
    expect(limiter.resetMs).toBe(1_000);
    ask('unwilling', limits);
    await clock.advance(0);
    ask('just', { ...limits, resetMs: 1_000 });
    await clock.advance(999);
    expect(begun).toEqual(['unwilling@0']);
    await clock.advance(1);
    expect(begun).toEqual(['unwilling@0', 'just@1000']);
  });

  it('forgets a waiting attempt that began, so that its signal changes nothing any more', async () => {
    const { clock, limiter } = gate();
    const one = { ...limits, concurrency: 1 };
    const controller = new AbortController();
    await limiter.enter(one, 0, undefined);
    const second = limiter.enter(one, 1_000, controller.signal);
    limiter.leave();
    await second;
    expect(clock.pending).toBe(0);
    const third = settled(limiter.enter(one, 0, undefined));
    controller.abort(new Error('too late'));
    await clock.advance(2_000);
    expect(limiter).toMatchObject({ active: 1, waiting: 1 });
    limiter.leave();
    expect((await third).error).toBeUndefined();
  });

  it('does not count attempts without spacing into the spacing of others', async () => {
    const { clock, begun, ask } = gate();
    for (const name of ['1', '2', '3']) ask(name, limits);
    ask('spaced', { ...limits, spacingMs: 100 });
    ask('next', { ...limits, spacingMs: 100 });
    ask('plain', limits);
    await clock.advance(100);
    expect(begun).toEqual(['1@0', '2@0', '3@0', 'spaced@0', 'plain@0', 'next@100']);
  });

  it('waits no longer between calls than the provider asked for with a refusal', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.learned({ perMs: 1 / 60_000, burst: 1 });
    limiter.refused(1, 1, 2_000);
    for (const name of ['1', '2']) ask(name, { ...limits, resetMs: 100_000 });
    await clock.advance(5_500);
    expect(begun).toHaveLength(2);
    limiter.refused(clock.monotonic(), clock.monotonic(), undefined);
    ask('3', { ...limits, resetMs: 100_000 });
    await clock.advance(3_000);
    expect(begun).toHaveLength(3);
  });

  it('raises the pace while calls wait for it and none is refused, not after calls that had no need to wait', async () => {
    /** Time between the last two of some calls that wait for the pace, after other calls that did not. */
    const gapAfter = async (calm: 'pass' | 'enter', count: number, waiting: number) => {
      const { clock, limiter, begun, ask } = gate();
      limiter.learned({ perMs: 0.01, burst: 1 });
      for (let call = 0; call < count; call++) {
        await clock.advance(1_000);
        if (calm === 'pass') limiter.pass();
        else await limiter.enter({ ...limits, resetMs: 100_000 }, 0, undefined);
        limiter.leave();
      }
      for (let call = 0; call < waiting; call++) ask('paced', { ...limits, resetMs: 100_000 });
      await clock.advance(100_000);
      const [last = 0, before = 0] = begun.map((one) => Number(one.split('@')[1])).reverse();
      return last - before;
    };
    const unhurried = [await gapAfter('pass', 0, 2), await gapAfter('pass', 100, 4), await gapAfter('enter', 100, 4)];
    // A little below the known pace of one call in 100 ms.
    expect(unhurried.filter((gapMs) => gapMs < 103 || gapMs > 108)).toEqual([]);
    expect(await gapAfter('pass', 0, 100)).toBeLessThan(80);
  });

  it('keeps to the pace after a call that waits for nothing', async () => {
    const { clock, limiter, begun, ask } = gate();
    limiter.learned({ perMs: 0.01, burst: 1 });
    ask('unpaced', limits);
    for (const name of ['1', '2']) ask(name, { ...limits, resetMs: 10_000 });
    await clock.advance(1_000);
    const [, first = 0, second = 0] = begun.map((one) => Number(one.split('@')[1]));
    expect([first, second - first].every((gap) => gap > 80)).toBe(true);
  });

  it('uses a higher pace the nearer a call is to its longest wait', async () => {
    const { clock, limiter, begun, ask } = gate();
    // The pace alone would have it wait for more than 10 s.
    limiter.learned({ perMs: 1 / 10_000, burst: 1 });
    ask('1', { ...limits, resetMs: 10_000 });
    await clock.advance(9_000);
    expect(begun).toEqual([]);
    await clock.advance(900);
    expect(begun).toHaveLength(1);
  });

  it('leaves the calls in flight their part of what the provider says remains', async () => {
    const { clock, limiter, begun, ask } = gate();
    for (let call = 0; call < 3; call++) limiter.pass();
    // Two others may not have been counted yet.
    limiter.learn({ limit: 10, remaining: 3, resetMs: 6_500 });
    for (const name of ['1', '2']) ask(name, { ...limits, resetMs: 60_000 });
    await clock.advance(0);
    expect(begun).toEqual(['1@0']);
    await clock.advance(1_200);
    expect(begun).toHaveLength(2);
  });

  it('takes the calls that all ended without a refusal as granted', async () => {
    const { clock, limiter } = gate();
    limiter.learned({ perMs: 0.001, burst: 1 });
    for (let call = 0; call < 5; call++) limiter.pass();
    await clock.advance(1);
    for (let call = 0; call < 4; call++) limiter.leave();
    expect(limiter.pace?.burst).toBe(1);
    limiter.leave();
    expect(limiter.pace?.burst).toBeCloseTo(6, 1);
  });

  it('listens to a signal only as long as the attempt waits', async () => {
    const { limiter } = gate();
    const one = { ...limits, concurrency: 1 };
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const count = (by: number, real: (...given: never[]) => void) =>
      ((...given: never[]) => {
        listeners += by;
        real.apply(signal, given);
      }) as never;
    signal.addEventListener = count(1, signal.addEventListener);
    signal.removeEventListener = count(-1, signal.removeEventListener);
    await limiter.enter(one, 0, signal);
    expect(listeners).toBe(0);
    const waiting = settled(limiter.enter(one, 0, signal));
    expect(listeners).toBe(1);
    controller.abort(new Error('enough'));
    await waiting;
    expect(listeners).toBe(0);
  });
});
