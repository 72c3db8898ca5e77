import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/contract/trial.js';
import type { Verdict } from '../../src/contract/verdict.js';
import {
  NO_TRIALS,
  nextPlace,
  type TrialCounts,
  withConfirmed,
  withEnded,
  withOpened,
} from '../../src/ledger/trial-counts.js';
import { seededRandom } from '../../src/lib/random.js';
import { levelOf } from '../../src/verify/level.js';
import { trialOf } from '../verify/harness.js';

const about = (task: string) => ({ task, issue: 'timeout' as const });
/** A verdict without a confirmation that leaves this capital. */
const endedWith = (eHelp: number) => ({ figures: { eHelp } }) as unknown as Verdict; // only this number is read

function opened(counts: TrialCounts, task: string): { readonly counts: TrialCounts; readonly trial: Trial } {
  const trial = trialOf({ place: nextPlace(counts, about(task)) });
  return { trial, counts: withOpened(counts, about(task), trial) };
}

describe('the budget of a loop', () => {
  it('asks no more of the 50th trial than of the first where the fixes before it were confirmed', () => {
    let counts = NO_TRIALS;
    for (let number = 0; number < 49; number++) {
      const next = opened(counts, `task ${number}`);
      counts = withConfirmed(next.counts, next.trial);
    }
    expect(counts.spent).toBeCloseTo(0, 12);
    expect(levelOf(nextPlace(counts, about('new')))).toBe(0.025);
  });

  it('gets back the capital that a hopeless trial has left, and never more than its charge', () => {
    const one = opened(NO_TRIALS, 'a');
    expect(one.counts.spent).toBeCloseTo(0.025 / 0.975, 12);
    expect(withEnded(one.counts, one.trial, endedWith(0.4)).spent).toBeCloseTo((0.6 * 0.025) / 0.975, 12);
    expect(withEnded(one.counts, one.trial, endedWith(30)).spent).toBeCloseTo(0, 12);
    expect(withEnded(one.counts, one.trial, undefined).spent).toBe(one.counts.spent);
  });

  it('gives the 450th trial nearly the level of the first where three of ten fixes are confirmed', () => {
    let counts = NO_TRIALS;
    for (let number = 0; number < 449; number++) {
      const next = opened(counts, `task ${number}`);
      const isConfirmed = number % 10 < 3;
      counts = isConfirmed
        ? withConfirmed(next.counts, next.trial)
        : withEnded(next.counts, next.trial, endedWith(0.1));
      // From then on, 1.3 times the tasks of a first trial, which needs 40.
      if (number === 48) expect(1 / levelOf(nextPlace(counts, about('new')))).toBeLessThan(40 ** 1.3);
    }
    expect(1 / levelOf(nextPlace(counts, about('new')))).toBeLessThan(40 ** 1.1);
  });

  it('pays for useless trials from confirmations alone, at most `alpha` for each', () => {
    const random = seededRandom(3);
    let counts = NO_TRIALS;
    let mayBeUseless = 0;
    for (let number = 0; number < 3_000; number++) {
      const next = opened(counts, `task ${number}`);
      const isConfirmed = random() < 0.05;
      if (!isConfirmed) mayBeUseless += next.trial.alpha;
      counts = isConfirmed ? withConfirmed(next.counts, next.trial) : withEnded(next.counts, next.trial, undefined);
      expect(mayBeUseless).toBeLessThanOrEqual(0.05 * Math.max(1, counts.confirmed));
    }
    expect(mayBeUseless).toBeGreaterThan(0.7 * 0.05 * counts.confirmed);
  });

  it('is never overdrawn, whatever the trials end with', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const running: { readonly trial: Trial }[] = [];
      let counts = NO_TRIALS;
      for (let number = 0; number < 400; number++) {
        const next = opened(counts, `task ${number}`);
        counts = next.counts;
        running.push(next);
        expect(counts.spent).toBeLessThanOrEqual(0.05 * Math.max(1, counts.confirmed));
        if (random() < 0.3) continue;
        const [ended] = running.splice(Math.floor(random() * running.length), 1);
        const isConfirmed = random() < 0.2;
        counts = isConfirmed
          ? withConfirmed(counts, ended?.trial)
          : withEnded(counts, ended?.trial, endedWith(2 * random() ** 3));
      }
    }
  });

  it('gives a kind of change that helped before a larger part, and the others what is left', () => {
    const place = { trial: 20, confirmed: 0, attempt: 1, spent: 0.03, unconfirmed: 19 };
    expect(levelOf({ ...place, weight: 4 })).toBeCloseTo(4 * levelOf(place), 12);
    expect(levelOf({ ...place, weight: 1_000 })).toBeCloseTo(0.5 * (0.05 - 0.03), 12);
  });
});
