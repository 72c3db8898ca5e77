import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

describe('ManualClock', () => {
  it('runs timers in the order they fall due, at the time they fall due', async () => {
    const clock = new ManualClock(1000);
    const seen: string[] = [];
    clock.after(20, () => seen.push(`b ${clock.now()} ${clock.monotonic()}`));
    clock.after(10, () => seen.push(`a ${clock.now()} ${clock.monotonic()}`));
    clock.after(20, () => seen.push(`c ${clock.now()} ${clock.monotonic()}`));
    clock.after(31, () => seen.push('too late'));
    await clock.advance(30);
    expect(seen).toEqual(['a 1010 10', 'b 1020 20', 'c 1020 20']);
    expect(clock.now()).toBe(1030);
    expect(clock.pending).toBe(1);
  });

  it('runs timers that are set while time passes, after the promises that set them have settled', async () => {
    const clock = new ManualClock(0);
    const seen: number[] = [];
    const loop = async () => {
      for (let turn = 0; turn < 3; turn++) {
        await new Promise<void>((resolve) => clock.after(10, resolve));
        await Promise.resolve();
        seen.push(clock.now());
      }
    };
    void loop();
    await clock.advance(100);
    expect(seen).toEqual([10, 20, 30]);
  });

  it('does not run a timer that was cancelled', async () => {
    const clock = new ManualClock();
    let ran = false;
    const cancel = clock.after(10, () => {
      ran = true;
    });
    cancel();
    await clock.advance(20);
    expect(ran).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('jumps without anything falling due and without moving the monotonic time', async () => {
    const clock = new ManualClock(5000);
    let ran = 0;
    clock.after(10, () => ran++);
    clock.set(5_000_000);
    await clock.advance(9);
    expect([clock.now(), clock.monotonic(), ran]).toEqual([5_000_009, 9, 0]);
    clock.set(0);
    await clock.advance(1);
    expect([clock.now(), clock.monotonic(), ran]).toEqual([1, 10, 1]);
  });
});
