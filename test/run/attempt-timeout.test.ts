import { describe, expect, it } from 'vitest';
import { AttemptTimeout } from '../../src/run/attempt-timeout.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { settled } from './fixture.js';

/** A signal of a host that counts its listeners. */
function hostSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    listening.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never) => {
    listening.delete(listener);
    remove(type, listener);
  };
  return { controller, signal, listening };
}

function attempt(timeoutMs: number, host?: AbortSignal) {
  const clock = new ManualClock();
  const late: unknown[] = [];
  const guard = new AttemptTimeout<unknown>(clock, 'ask', { timeoutMs, statedMs: timeoutMs }, host, (value) =>
    late.push(value),
  );
  return { clock, late, guard };
}

describe('the time-out of an attempt', () => {
  it.each([
    ['returns', () => 7, { value: 7 }],
    ['resolves', async () => 7, { value: 7 }],
    [
      'throws',
      () => {
        throw 'no';
      },
      { error: 'no' },
    ],
    ['rejects', () => Promise.reject('no'), { error: 'no' }],
  ])('leaves neither a timer nor a listener when the work %s', async (_name, work, expected) => {
    const { controller, signal, listening } = hostSignal();
    const { clock, guard } = attempt(1_000, signal);
    expect([clock.pending, listening.size]).toEqual([1, 1]);
    expect(await settled(guard.run(work, undefined))).toEqual(expected);
    expect([clock.pending, listening.size]).toEqual([0, 0]);
    controller.abort('too late');
    expect(guard.signal.aborted).toBe(false);
  });

  it('ends the attempt at once, and takes what the work returns later', async () => {
    const { clock, late, guard } = attempt(1_000);
    let finish = (_value: unknown) => {};
    const running = settled(guard.run(() => new Promise((resolve) => (finish = resolve)), undefined));
    await clock.advance(1_000);
    const { error } = await running;
    expect(error).toMatchObject({ code: 'timed-out', message: 'ask took longer than 1000 ms' });
    // Asked for only now.
    expect(guard.signal).toMatchObject({ aborted: true, reason: error });
    finish('late');
    await clock.advance(0);
    expect(late).toEqual(['late']);
  });

  it('drops an error that comes after the host cancelled, whose reason counts', async () => {
    const { controller, signal, listening } = hostSignal();
    const { guard, late } = attempt(0, signal);
    const { signal: given } = guard;
    let fail = (_error: unknown) => {};
    const running = settled(guard.run(() => new Promise((_, reject) => (fail = reject)), undefined));
    controller.abort('enough');
    expect(given).toMatchObject({ aborted: true, reason: 'enough' });
    fail('no');
    expect(await running).toEqual({ error: 'enough' });
    expect(late).toEqual([]);
    expect(listening.size).toBe(0);
  });

  it('goes on for a stream until it is released', async () => {
    const stream = (async function* () {})();
    const { clock, guard } = attempt(1_000);
    const { signal } = guard;
    expect(await guard.run(() => stream, undefined)).toBe(stream);
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    expect(signal.aborted).toBe(true);
    const other = attempt(1_000);
    await other.guard.run(() => stream, undefined);
    other.guard.release();
    expect(other.clock.pending).toBe(0);
    await other.clock.advance(1_000);
    expect(other.guard.signal.aborted).toBe(false);
  });
});
