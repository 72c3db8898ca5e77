import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/contract/trial.js';
import { ArmBet } from '../../src/verify/arm-bet.js';
import { BettingMartingale } from '../../src/verify/betting-martingale.js';
import { UNIT_RHOS } from '../../src/verify/effect-bets.js';
import { RateGuess } from '../../src/verify/rate-guess.js';
import { Verifier } from '../../src/verify/verifier.js';
import { FIX, failing, journal, T0, trialOf } from './harness.js';

describe('harm in the order of arrival', () => {
  it('fails a fix that fails at once while one task of long ago holds up every bet in order of start', () => {
    const trial = trialOf();
    const verifier = new Verifier();
    verifier.open(trial);
    // The first task never ends, so for an hour no unit behind it can be bet on in order.
    const [first, , ...rest] = journal(trial, 600, failing(0.2, 4, 3));
    if (first) verifier.absorb([first]);
    verifier.absorb(rest);
    const [reached] = verifier.look(T0 + 700_000).verdicts;
    expect(reached?.verdict).toMatchObject({ kind: 'failed', why: 'harm' });
    const { fix, control } = reached?.verdict.figures ?? {};
    expect(fix?.failures).toBeGreaterThan(3);
    expect(control?.tasks).toBeGreaterThan(3);
    expect(verifier.figures(FIX)).toMatchObject({ fix, control });
    expect(reached?.verdict).not.toHaveProperty('counts');
  });
});

describe('the holdout', () => {
  /** Shares that are asked for while a confirmed fix does well. */
  function shares(tasks: number): number[] {
    let trial: Trial = { ...trialOf(), phase: 'holdout', share: 0.9 };
    const verifier = new Verifier();
    verifier.open(trial);
    const asked: number[] = [];
    for (let second = 0; second < tasks; second += 50) {
      verifier.absorb(journal(trial, 50, failing(0.2, 0.3, 100 + second), { from: second }));
      for (const { trial: next } of verifier.look(T0 + (second + 50) * 1_000).changes) {
        asked.push(next.share);
        trial = next;
        verifier.open(next);
      }
    }
    return asked;
  }

  it('keeps its first share for 1,000 tasks, and shrinks only then', () => {
    expect(shares(950)).toEqual([]);
    expect(shares(1_100)).toEqual([0.98]);
  });
});

describe('a unit whose tasks were drawn at two shares', () => {
  it('is not bet on', () => {
    const trial = trialOf({ unit: 'session' });
    const betOn = (shareOfSecond: number) => {
      const verifier = new Verifier();
      verifier.open(trial);
      const records = journal(trial, 2, () => true, { session: () => 's' }).map((record, index) =>
        record.kind === 'start' && index >= 2
          ? {
              ...record,
              start: { ...record.start, arms: record.start.arms.map((arm) => ({ ...arm, share: shareOfSecond })) },
            }
          : record,
      );
      verifier.absorb(records);
      verifier.look(T0 + 30 * 3_600_000);
      const { fix, control } = verifier.figures(FIX) ?? {};
      return (fix?.units ?? 0) + (control?.units ?? 0);
    };
    expect(betOn(0.5)).toBe(1);
    expect(betOn(0.9)).toBe(0);
  });
});

describe('tasks of one session that depend on each other', () => {
  it('tell less than as many of different sessions: the bet that supposes so wins less', () => {
    const won = (rho: number) => {
      const capital = new BettingMartingale([0.5], [rho]);
      capital.bet({ arm: 'control', share: 0.5, tasks: 20, failures: 12 }, 0.2);
      return capital.log;
    };
    expect(UNIT_RHOS).toEqual([0, 0.05, 0.2, 1]);
    expect(won(0)).toBeGreaterThan(won(0.05));
    expect(won(0.05)).toBeGreaterThan(won(0.2));
    expect(won(0.2)).toBeGreaterThan(won(1));
  });

  it('do not confirm a fix by one lucky session', () => {
    const bet = new ArmBet({ unit: 'session' });
    for (let seq = 0; seq < 5; seq++) {
      const isFix = seq % 2 === 0;
      bet.push({ seq, arm: isFix ? 'fix' : 'control', share: 0.5, tasks: 200, failures: isFix ? 0 : 200 });
    }
    // Each session can at best double the capital of a way to guess.
    expect(bet.eHelp).toBeLessThanOrEqual(2 ** 5);
  });
});

describe('the running guess of the failure rate', () => {
  it('follows control within a few half-lives', () => {
    const guess = new RateGuess();
    for (let task = 0; task < 400; task++) guess.add(1, task % 100 < 2 ? 1 : 0);
    expect(guess.rate).toBeLessThan(0.06);
    for (let task = 0; task < 400; task++) guess.add(1, task % 10 < 7 ? 1 : 0);
    expect(guess.rate).toBeGreaterThan(0.6);
  });

  it('learns a rate far below the first guess, so that 90 % less of 2 % is confirmed within 2,500 tasks', () => {
    let confirmed = 0;
    for (let run = 0; run < 20; run++) {
      const trial = trialOf({ past: { tasks: 1, failures: 0 }, seed: run });
      const verifier = new Verifier();
      verifier.open(trial);
      verifier.absorb(journal(trial, 2_500, failing(0.02, 0.1, 50 + run)));
      if (verifier.look(T0 + 2_600_000).verdicts[0]?.verdict.kind === 'confirmed') confirmed++;
    }
    expect(confirmed).toBeGreaterThanOrEqual(14);
  });
});
