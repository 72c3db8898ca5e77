import { describe, expect, it } from 'vitest';
import type { EndedUnit } from '../../src/verify/betting-martingale.js';
import { EffectBets, type EffectBetsSnapshot, HARM_RATIOS, USEFUL_RATIO } from '../../src/verify/effect-bets.js';

const unit = (parts: Partial<EndedUnit> = {}): EndedUnit => ({
  arm: 'fix',
  share: 0.5,
  tasks: 1,
  failures: 0,
  ...parts,
});
const bets = (isSingle = true, snapshot?: EffectBetsSnapshot) =>
  new EffectBets({ isSingle, helpRatios: [0.25, 0.5], usefulRatio: USEFUL_RATIO }, snapshot);
/** Returns the log factor of a bet that supposes this ratio, on a failed single task at a share of one half. */
const failedTask = (ratio: number, arm: EndedUnit['arm']) =>
  Math.log((arm === 'fix' ? ratio : 1) / (0.5 * ratio + 0.5));
const close = (found: readonly number[], expected: readonly number[]) => {
  expect(found).toHaveLength(expected.length);
  for (const [index, one] of expected.entries()) expect(found[index]).toBeCloseTo(one, 12);
};

describe('bets on single tasks', () => {
  it.for(['fix', 'control'] as const)('read a failed task of arm %s by the odds of its arm alone', (arm) => {
    const effect = bets();
    effect.bet(unit({ arm, failures: 1 }));
    const { help, harm, useful } = effect.snapshot();
    close(help, [failedTask(0.25, arm), failedTask(0.5, arm)]);
    close(
      harm,
      HARM_RATIOS.map((ratio) => failedTask(ratio, arm)),
    );
    close(useful, [failedTask(0.7, arm)]);
    expect(effect.logNone).toBeCloseTo(-failedTask(0.7, arm), 12);
  });

  it('learn nothing about usefulness from a success, because the estimated rate may be wrong', () => {
    const effect = bets();
    effect.bet(unit());
    const { help, harm, useful } = effect.snapshot();
    expect(useful).toEqual([0]);
    expect(effect.logNone).toBe(-0);
    // A success speaks for the fix and against harm.
    for (const log of help) expect(log).toBeGreaterThan(0);
    for (const log of harm) expect(log).toBeLessThan(0);
  });

  it.for([0, 1, -0.5, 1.5, Number.NaN])('are off for a share of %j: nothing was drawn', (share) => {
    const effect = bets();
    effect.bet(unit({ share, failures: 1 }));
    expect(effect.snapshot()).toEqual(bets().snapshot());
  });
});

describe('bets on units of several tasks', () => {
  it('suppose four correlations, and the two larger ones for usefulness', () => {
    const { help, harm, useful } = bets(false).snapshot();
    expect([help.length, harm.length, useful.length]).toEqual([8, 12, 2]);
  });

  it('read successes too: a session without failures speaks for a useful fix', () => {
    const effect = bets(false);
    effect.bet(unit({ tasks: 10 }));
    const { useful } = effect.snapshot();
    for (const log of useful) expect(log).toBeGreaterThan(0);
    const mean = Math.log(useful.reduce((sum, log) => sum + Math.exp(-log), 0) / 2);
    expect(effect.logNone).toBeCloseTo(mean, 12);
  });

  it('count a correlated failure for less', () => {
    const effect = bets(false);
    effect.bet(unit({ tasks: 10, failures: 10 }));
    const [independent = 0, , , identical = 0] = effect.snapshot().harm;
    expect(independent).toBeGreaterThan(identical);
    expect(identical).toBeCloseTo(failedTask(1.5, 'fix'), 12);
  });
});

describe('the estimate of the failure rate', () => {
  it('follows the control arm alone', () => {
    const effect = bets();
    const before = effect.guess.rate;
    effect.learn(unit({ arm: 'fix', tasks: 9, failures: 9 }));
    expect(effect.guess.rate).toBe(before);
    effect.learn(unit({ arm: 'control', tasks: 9, failures: 9 }));
    expect(effect.guess.rate).toBeGreaterThan(before);
  });

  it('goes on from a snapshot, with every bet', () => {
    const effect = bets(false);
    for (const arm of ['fix', 'control', 'control'] as const) {
      effect.bet(unit({ arm, tasks: 4, failures: 2 }));
      effect.learn(unit({ arm, tasks: 4, failures: 2 }));
    }
    const restored = bets(false, JSON.parse(JSON.stringify(effect.snapshot())));
    for (const one of [effect, restored]) one.bet(unit({ tasks: 3, failures: 1 }));
    expect(restored.snapshot()).toEqual(effect.snapshot());
    expect(restored.logNone).toBe(effect.logNone);
  });
});
