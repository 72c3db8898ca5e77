import { describe, expect, it } from 'vitest';
import { HostSignals } from '../../src/run/host-signals.js';
import { fixture, settled } from './fixture.js';

/** A signal that counts its listeners. */
function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  let most = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    listeners++;
    most = Math.max(most, listeners);
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never) => {
    listeners--;
    remove(type, listener);
  };
  return { controller, signal, now: () => listeners, most: () => most };
}

describe('one signal of the host for many tasks', () => {
  it('gets one listener for 100 parallel tasks that run, wait or back off, and none afterwards', async () => {
    const settings = { 'limit.concurrency': 10, 'retries.network': 1, 'backoff.baseMs': 1_000 } as const;
    const { runner, clock } = fixture(settings);
    const { signal, now, most } = counted();
    const work = async ({ attempt, signal: own }: { attempt: number; signal: AbortSignal }) => {
      if (attempt === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return own.aborted;
    };
    const all = Array.from({ length: 100 }, () =>
      settled(runner.run('ask', work, { signal, idempotent: true, timeoutMs: 3_600_000 })),
    );
    await clock.advance(600_000);
    expect((await Promise.all(all)).some(({ value }) => value === false)).toBe(true);
    expect([most(), now()]).toEqual([1, 0]);
  });

  it('ends all of them when it aborts, with its reason', async () => {
    const { runner } = fixture();
    const { controller, signal } = counted();
    const all = Array.from({ length: 100 }, () =>
      settled(runner.run('ask', () => new Promise<never>(() => {}), { signal })),
    );
    await Promise.resolve();
    controller.abort('enough');
    expect(new Set((await Promise.all(all)).map(({ error }) => error))).toEqual(new Set(['enough']));
  });
});

describe('a followed signal', () => {
  it('is aborted at once if the host had aborted, and not after its release', () => {
    const signals = new HostSignals();
    expect(signals.follow(AbortSignal.abort('before')).signal.reason).toBe('before');
    const { controller, signal, now } = counted();
    const [one, other] = [signals.follow(signal), signals.follow(signal)];
    one.release();
    one.release();
    expect(now()).toBe(1);
    controller.abort('now');
    expect([one.signal.aborted, other.signal.reason]).toEqual([false, 'now']);
    other.release();
  });
});
