import { describe, expect, it } from 'vitest';
import { Pauses } from '../../src/run/pauses.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { settled } from './fixture.js';

describe('a pause', () => {
  it('ends after its time or with its signal, and leaves nothing behind', async () => {
    const clock = new ManualClock();
    const pauses = new Pauses(clock);
    const { signal, ...controller } = abortable();
    const first = settled(pauses.wait(100, signal, () => true));
    await clock.advance(99);
    expect(controller.listening()).toBe(1);
    await clock.advance(1);
    expect(await first).toEqual({ value: true });
    expect(controller.listening()).toBe(0);
    const second = settled(pauses.wait(100, signal, () => true));
    controller.abort('enough');
    expect(await second).toEqual({ error: 'enough' });
    expect(controller.listening()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('ends early if the attempt after it is not due any more', async () => {
    const clock = new ManualClock();
    const pauses = new Pauses(clock);
    let isDue = true;
    const waiting = settled(pauses.wait(100, undefined, () => isDue));
    const other = settled(pauses.wait(50, undefined, () => true));
    pauses.recheck();
    isDue = false;
    pauses.recheck();
    expect(await waiting).toEqual({ value: false });
    await clock.advance(50);
    expect(await other).toEqual({ value: true });
    expect(clock.pending).toBe(0);
  });
});

/** A signal that counts its listeners. */
function abortable() {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: never, options?: never) => {
    count++;
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never) => {
    count--;
    remove(type, listener);
  };
  return { signal, listening: () => count, abort: (reason: unknown) => controller.abort(reason) };
}
