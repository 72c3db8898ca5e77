import { SystemClock } from 'rsi-loop';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => vi.useRealTimers());

describe('SystemClock', () => {
  it('waits out delays longer than a platform timer can hold', () => {
    vi.useFakeTimers();
    let ran = 0;
    new SystemClock().after(5_000_000_000, () => ran++);
    vi.advanceTimersByTime(4_999_999_999);
    expect(ran).toBe(0);
    vi.advanceTimersByTime(1);
    expect(ran).toBe(1);
  });

  it('cancels a long delay in its second stretch too', () => {
    vi.useFakeTimers();
    let ran = 0;
    const cancel = new SystemClock().after(5_000_000_000, () => ran++);
    vi.advanceTimersByTime(3_000_000_000);
    cancel();
    vi.advanceTimersByTime(3_000_000_000);
    expect(ran).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps the process alive for ordinary timers and not for background ones', () => {
    const timers: { hasRef(): boolean }[] = [];
    const real = globalThis.setTimeout;
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      const timer = real(run, ms);
      timers.push(timer);
      return timer;
    }) as typeof setTimeout);
    const clock = new SystemClock();
    const cancels = [clock.after(10_000, () => {}), clock.after(10_000, () => {}, { background: true })];
    expect(timers.map((timer) => timer.hasRef())).toEqual([true, false]);
    for (const cancel of cancels) cancel();
    spy.mockRestore();
  });
});
