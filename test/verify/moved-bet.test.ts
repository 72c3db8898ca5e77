import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { type Counts, MovedBet } from '../../src/verify/moved-bet.js';

const unit = (arm: Arm, failures = 0, share = 0.5) => ({ arm, share, tasks: 1, failures });

/** Bet after ten tasks with the fix that went well and ten without that failed. */
function learned(): MovedBet {
  const bet = new MovedBet();
  for (let index = 0; index < 10; index++) {
    bet.bet([unit('fix')], [1, 0]);
    bet.bet([unit('control', 1)], [1, 0]);
  }
  return new MovedBet({ ...bet.snapshot(), log: 0 });
}

/** Factors of the bet, by arms of the units before, each with its probability. */
function factors(share: number, count: number, after: Counts) {
  return Array.from({ length: 2 ** count }, (_, bits) => {
    const arms = Array.from({ length: count }, (_, index): Arm => ((bits >> index) & 1 ? 'fix' : 'control'));
    const bet = learned();
    const preceding = arms.map((arm) => unit(arm, 0, share));
    bet.bet(preceding, after);
    const probability = arms.reduce((product, arm) => product * (arm === 'fix' ? share : 1 - share), 1);
    return { arms, probability, factor: Math.exp(bet.log) };
  });
}

describe('the bet on failures that move', () => {
  it('wins nothing on average where the tasks after do not depend on the arm', () => {
    for (const share of [0.5, 0.9]) {
      for (const count of [1, 2, 5]) {
        for (const after of [
          [1, 0],
          [1, 1],
          [6, 2],
        ] as const) {
          const mean = factors(share, count, after).reduce((sum, one) => sum + one.probability * one.factor, 0);
          expect(mean).toBeCloseTo(1, 12);
        }
      }
    }
  });

  it('wins where a task fails after the fix, the more units before it had it, and loses where it goes well', () => {
    const of = (after: Counts, ...arms: Arm[]) =>
      factors(0.5, arms.length, after).find((one) => one.arms.join() === arms.join())?.factor ?? Number.NaN;
    expect(of([1, 1], 'fix')).toBeGreaterThan(1.3);
    expect(of([1, 1], 'fix') + of([1, 1], 'control')).toBeCloseTo(2, 12);
    expect(of([1, 0], 'fix')).toBeLessThan(1);
    expect(of([1, 1], 'fix', 'fix')).toBeGreaterThan(of([1, 1], 'fix', 'control'));
    expect(of([1, 1], 'fix', 'control')).toBe(of([1, 1], 'control', 'fix'));
  });

  it('wins less per task where many tasks follow one unit, as they fail together', () => {
    const [, one] = factors(0.5, 1, [1, 1]);
    const [, ten] = factors(0.5, 1, [10, 10]);
    expect(Math.log(ten?.factor ?? 0)).toBeLessThan(5 * Math.log(one?.factor ?? 0));
    expect(ten?.factor).toBeGreaterThan(1);
  });

  it('expects of a larger unit more failures that return, spread over the tasks that follow', () => {
    const factorOf = (tasks: number, after: Counts) => {
      const bet = learned();
      bet.bet([{ ...unit('fix'), tasks }], after);
      return bet.log;
    };
    expect(factorOf(2, [2, 2])).toBeGreaterThan(factorOf(1, [2, 2]));
    expect(factorOf(4, [4, 0])).toBeLessThan(factorOf(2, [4, 0]));
  });

  it('supposes that seven in ten avoided failures return, and bets on nothing while the fix avoids none', () => {
    expect(learned().supposed).toBeCloseTo(0.7 * (14 / 30 - 4 / 30), 12);
    const harmful = new MovedBet();
    harmful.bet([unit('fix', 1)], [1, 1]);
    harmful.bet([unit('fix', 1)], [1, 1]);
    expect(harmful.supposed).toBe(0);
    expect(harmful.log).toBe(0);
  });

  it('learns the rates from units it has bet on, not from the one it bets on', () => {
    const bet = new MovedBet();
    bet.bet([unit('fix'), unit('control', 1)], [2, 1]);
    expect(bet.log).toBe(0);
    expect(bet.snapshot().seen).toEqual([
      [21, 5],
      [21, 4],
      [22, 5],
    ]);
  });

  it('leaves out what no unit comes before and what no task follows', () => {
    const bet = learned();
    bet.bet([], [1, 1]);
    bet.bet([unit('fix')], [0, 0]);
    expect(bet.snapshot()).toEqual(learned().snapshot());
  });

  it('loses a bounded amount even where rates look certain', () => {
    const sure = new MovedBet({
      log: 0,
      seen: [
        [1_000, 1_000],
        [1_000, 0],
        [1_000, 0],
      ],
    });
    sure.bet([unit('fix')], [1, 0]);
    sure.bet([unit('control')], [1, 1]);
    expect(sure.log).toBeGreaterThan(-10);
    expect(Number.isFinite(sure.log)).toBe(true);
  });
});
