import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { Verifier } from '../../src/verify/verifier.js';
import { live } from '../campaigns/worlds/life.js';
import { failing, journal, T0, trialOf } from './harness.js';

type Measured = (arm: Arm, failed: boolean, random: () => number) => Partial<Outcome>;

/** How many of these fixes fail or are taken back within 1,000 tasks that they applied to. */
function ended(measured: Measured, { rate = 0.2, ratio = 0.5, runs = 20, tasks = 2_000, set = {} } = {}): number {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const random = seededRandom(run * 7919 + 13);
    const task = {
      scope: { task: 'ask' },
      end: (arm: Arm) => {
        const failed = random() < rate * (arm === 'fix' ? ratio : 1);
        return { failed, ...measured(arm, failed, random) };
      },
    };
    const { endedAt, exposed } = live(() => task, random, { tasks, lookEvery: 20, set });
    if (endedAt !== undefined && exposed <= 1_000) count++;
  }
  return count;
}

/** Mostly between a half and twice. */
function spread(random: () => number): number {
  return Math.exp((random() + random() + random() - 1.5) * 1);
}

describe('guards', () => {
  it('fail a fix that halves failures and makes everything take half as long again', () => {
    const slower: Measured = (arm, _, random) => ({ durationMs: 800 * spread(random) * (arm === 'fix' ? 1.5 : 1) });
    expect(ended(slower)).toBeGreaterThanOrEqual(19);
  });

  describe('on a fix with which one task in twenty takes 20 times as long', () => {
    const tail = (part: number): Measured => {
      return (arm, _, random) => {
        const times = random() < part && arm === 'fix' ? 20 : 1;
        return { durationMs: 800 * spread(random) * times };
      };
    };

    it('fail it, although it halves failures', () => {
      expect(ended(tail(0.05))).toBeGreaterThanOrEqual(16);
    });

    it('let it pass without that tail', () => {
      expect(ended(tail(0), { runs: 60 })).toBeLessThanOrEqual(3);
    });

    it('let a retry pass whose waits are many times as long as its calls', () => {
      const retried: Measured = (arm, failed, random) => {
        const isRetried = arm === 'fix' && (failed || random() < 0.2 * 0.5);
        const durationMs = 50 * spread(random);
        const first = { delayMs: 0, durationMs, success: !failed && !isRetried };
        if (!isRetried) return { durationMs, attempts: [first] };
        const again = { delayMs: 900, durationMs: 50 * spread(random), success: !failed };
        return { durationMs: durationMs + 900 + again.durationMs, attempts: [first, again] };
      };
      expect(ended(retried, { runs: 40 })).toBeLessThanOrEqual(3);
    });
  });

  it('fail a fix that halves failures and costs half as much again', () => {
    const dearer: Measured = (arm, _, random) => ({ costUsd: 0.02 * spread(random) * (arm === 'fix' ? 1.5 : 1) });
    expect(ended(dearer)).toBeGreaterThanOrEqual(19);
  });

  it('fail a fix that halves failures and lowers quality from 5 to 4', () => {
    const worse: Measured = (arm, failed) => (failed ? {} : { quality: arm === 'fix' ? 4 : 5 });
    expect(ended(worse)).toBe(20);
  });

  it('fail a fix whose remaining failures cost ten times as much', () => {
    const vain: Measured = (arm, failed, random) => ({ costUsd: spread(random) * (failed && arm === 'fix' ? 10 : 1) });
    expect(ended(vain)).toBeGreaterThanOrEqual(17);
  });

  it('let a retry pass that takes longer where it succeeds, and three times as long where it fails', () => {
    const retried: Measured = (arm, failed, random) => {
      const isRetried = arm === 'fix' && (failed || random() < 0.2 * 0.5);
      const times = isRetried ? (failed ? 3 : 2) : 1;
      return { durationMs: 800 * times * spread(random), costUsd: 0.02 * times * spread(random) };
    };
    expect(ended(retried, { runs: 30 })).toBeLessThanOrEqual(3);
  });

  it('let a fix pass that makes calls of microseconds take twice as long', () => {
    const quick: Measured = (arm, _, random) => ({ durationMs: 0.02 * spread(random) * (arm === 'fix' ? 2 : 1) });
    expect(ended(quick)).toBeLessThanOrEqual(1);
  });

  it('let a fix pass that is slower by one part in twenty', () => {
    const hardly: Measured = (arm) => ({ durationMs: arm === 'fix' ? 105 : 100 });
    expect(ended(hardly, { rate: 0.3, ratio: 0.3 })).toBe(0);
  });

  describe('on a fix that lets tasks wait for up to a minute instead of failing', () => {
    const world = { rate: 0.4, ratio: 0.15, set: { 'limit.resetMs': 60_000 } };
    const waiting = (waitMs: number, callTimes = 1): Measured => {
      return (arm, _, random) => {
        const delayMs = arm === 'fix' ? waitMs * spread(random) : 0;
        const durationMs = 800 * spread(random) * (arm === 'fix' ? callTimes : 1);
        return { durationMs: delayMs + durationMs, attempts: [{ delayMs, durationMs, success: true }] };
      };
    };

    it('let it pass while all the waits together weigh less than the failures that they prevent', () => {
      expect(ended(waiting(6_000), { ...world, runs: 60 })).toBeLessThanOrEqual(3);
    });

    it('fail it when everybody waits for longer than that', () => {
      expect(ended(waiting(45_000), world)).toBe(20);
    });

    it('fail it when the calls themselves take half as long again', () => {
      expect(ended(waiting(6_000, 1.5), { set: world.set })).toBeGreaterThanOrEqual(18);
    });
  });

  it('take a confirmed fix back when it becomes slow only later, and name what became worse', () => {
    let trial = { ...trialOf(), phase: 'holdout' as const, share: 0.9 };
    const verifier = new Verifier();
    verifier.open(trial);
    const random = seededRandom(5);
    const more = (arm: Arm, index: number) => ({
      durationMs: 100 * (0.5 + random()) * (arm === 'fix' && index >= 2_000 ? 3 : 1),
    });
    for (let second = 0; second < 6_000; second += 100) {
      verifier.absorb(journal(trial, 100, failing(0.1, 0.5, second), { from: second, more }));
      const { changes, alarms } = verifier.look(T0 + (second + 100) * 1_000);
      if (changes[0]) trial = { ...trial, ...changes[0].trial, phase: 'holdout' };
      if (changes[0]) verifier.open(trial);
      if (!alarms[0]) continue;
      expect(second).toBeGreaterThanOrEqual(2_000);
      expect(alarms[0].reason).toContain('tasks take longer');
      return;
    }
    expect.unreachable('no guard fired');
  });
});
