import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/run/breaker.js';

const inRow = { failures: 3, ratio: 0, openMs: 1_000 };
const byRatio = { failures: 0, ratio: 0.5, openMs: 1_000 };

function failing(limits = inRow): Breaker {
  const breaker = new Breaker();
  for (let call = 0; call < 3; call++) breaker.settle('pass', 'bad', 0, limits, 'network');
  return breaker;
}

describe('Breaker', () => {
  it('opens after so many failures in a row and says what opened it', () => {
    const breaker = new Breaker();
    for (const sign of ['bad', 'bad', 'good', 'bad', 'bad'] as const) breaker.settle('pass', sign, 0, inRow, 'network');
    expect(breaker.isOpen).toBe(false);
    breaker.settle('pass', 'bad', 0, inRow, 'server_error');
    expect(breaker).toMatchObject({ isOpen: true, issue: 'server_error' });
  });

  it('opens when the share of recent failures is reached, and only on enough of them', () => {
    const breaker = new Breaker();
    for (let call = 0; call < 4; call++) {
      breaker.settle('pass', 'good', 0, byRatio);
      breaker.settle('pass', 'bad', 0, byRatio);
    }
    expect(breaker.isOpen).toBe(false);
    breaker.settle('pass', 'good', 0, byRatio);
    breaker.settle('pass', 'bad', 0, byRatio);
    expect(breaker.isOpen).toBe(true);
  });

  it('forgets old attempts', () => {
    const breaker = new Breaker();
    for (let call = 0; call < 9; call++) breaker.settle('pass', 'bad', 0, byRatio);
    breaker.settle('pass', 'bad', 600_000, byRatio);
    expect(breaker.isOpen).toBe(false);
    for (let call = 0; call < 20; call++) breaker.settle('pass', 'good', 600_000, byRatio);
    breaker.settle('pass', 'bad', 600_000, byRatio);
    expect(breaker.isOpen).toBe(false);
  });

  it('lets a single probe through when its time has come, and closes on a good one', () => {
    const breaker = failing();
    expect(breaker.enter(999, inRow)).toBeUndefined();
    expect(breaker.admits(1_000)).toBe(true);
    expect(breaker.enter(1_000, inRow)).toBe('probe');
    expect(breaker.enter(1_001, inRow)).toBeUndefined();
    breaker.settle('probe', 'good', 1_100, inRow);
    expect(breaker.enter(1_101, inRow)).toBe('pass');
    breaker.settle('pass', 'bad', 1_102, inRow);
    expect(breaker.isOpen).toBe(false);
  });

  it('stays open on a bad probe, and asks again after a probe that said nothing or never ended', () => {
    const breaker = failing();
    breaker.enter(1_000, inRow);
    breaker.settle('probe', 'bad', 1_500, inRow);
    expect(breaker.enter(2_499, inRow)).toBeUndefined();
    expect(breaker.enter(2_500, inRow)).toBe('probe');
    breaker.settle('probe', 'neutral', 2_600, inRow);
    expect(breaker.enter(2_600, inRow)).toBe('probe');
    expect(breaker.enter(3_600, inRow)).toBe('probe');
  });

  it('is not moved by attempts that began before it opened', () => {
    const breaker = failing();
    breaker.settle('pass', 'good', 10, inRow);
    breaker.settle('pass', 'bad', 900, inRow);
    expect(breaker.enter(1_000, inRow)).toBe('probe');
  });

  it('goes on in another process where it was', () => {
    const state = failing().save(400);
    const other = new Breaker();
    if (state) other.restore(state, 50_000);
    expect(other.issue).toBe('network');
    expect(other.enter(50_599, inRow)).toBeUndefined();
    expect(other.enter(50_600, inRow)).toBe('probe');
  });

  it('counts neither what the request itself caused nor attempts on an open target', () => {
    const breaker = new Breaker();
    for (const sign of ['bad', 'bad', 'neutral', 'neutral'] as const) breaker.settle('pass', sign, 0, inRow);
    expect(breaker.isOpen).toBe(false);
    breaker.settle('pass', 'bad', 0, inRow);
    expect(breaker.isOpen).toBe(true);
    breaker.settle('pass', 'bad', 500, inRow, 'timeout');
    expect(breaker.issue).toBe('unknown');
    breaker.enter(1_000, inRow);
    breaker.settle('probe', 'good', 1_000, inRow);
    // Failures while it was open are no failures in a row now.
    expect(breaker.save(1_000)).toBeUndefined();
  });

  it('never opens by a share or a row that is not asked for', () => {
    const never = { failures: 0, ratio: 0, openMs: 1_000 };
    const breaker = new Breaker();
    for (let call = 0; call < 100; call++) breaker.settle('pass', 'bad', 0, never);
    expect(breaker.isOpen).toBe(false);
    const seldom = new Breaker();
    for (let call = 0; call < 40; call++) seldom.settle('pass', call % 4 === 3 ? 'bad' : 'good', 0, byRatio);
    expect(seldom.isOpen).toBe(false);
  });

  it('weighs an attempt of a minute ago half', () => {
    const afterMs = (ageMs: number) => {
      const breaker = new Breaker();
      for (let call = 0; call < 20; call++) breaker.settle('pass', 'good', 0, byRatio);
      for (let call = 0; call < 12; call++) breaker.settle('pass', 'bad', ageMs, byRatio);
      return breaker.isOpen;
    };
    // 12 failures of 32, or of 22.
    expect(afterMs(0)).toBe(false);
    expect(afterMs(60_000)).toBe(true);
  });

  it('saves how old its counts are, and nothing if there is nothing to keep', () => {
    const breaker = new Breaker();
    expect(breaker.save(0)).toBeUndefined();
    breaker.settle('pass', 'good', 0, byRatio);
    expect(breaker.save(0)).toBeUndefined();
    for (let call = 0; call < 6; call++) breaker.settle('pass', 'bad', 100, byRatio);
    const state = breaker.save(60_100);
    expect(state).toMatchObject({ inRow: 6, ageMs: 60_000 });
    expect(state).not.toHaveProperty('probeInMs');
    const other = new Breaker();
    if (state) other.restore(state, 5_000);
    expect(other.isOpen).toBe(false);
    expect(other.save(5_000)).toEqual(state);
    // Seven of eight failed, which weigh 3.5 of 4 after that minute: not enough for the share yet.
    for (let call = 0; call < 6; call++) other.settle('pass', 'bad', 5_000, byRatio);
    expect(other.isOpen).toBe(false);
    other.settle('pass', 'bad', 5_000, byRatio);
    expect(other.isOpen).toBe(true);
    const good = new Breaker();
    good.settle('pass', 'bad', 0, byRatio);
    good.settle('pass', 'good', 0, byRatio);
    expect(good.save(0)).toMatchObject({ inRow: 0, failures: 1, calls: 2 });
  });
});
