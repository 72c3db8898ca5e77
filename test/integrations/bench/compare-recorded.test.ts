import { describe, expect, it } from 'vitest';
import type { ProblemResult } from '../../../integrations/bench/bench-run.js';
import { compareRecorded } from '../../../integrations/bench/compare-recorded.js';
import { describeComparison } from '../../../integrations/bench/describe-comparison.js';
import { seededRandom } from '../../../src/lib/random.js';

/** Runs of 60 problems, each solved as often as `skill` says, `epochs` times. */
function recorded(skill: (problem: number) => number, seed: number, epochs = 1, more: Partial<ProblemResult> = {}) {
  const random = seededRandom(seed);
  return Array.from({ length: 60 * epochs }, (_, index): ProblemResult => {
    const problem = index % 60;
    return { problemId: `p${problem}`, score: random() < skill(problem) ? 1 : 0, durationMs: 100, ...more };
  });
}

describe('recorded runs', () => {
  it('show a version that is better, or worse', () => {
    const [old, fresh] = [recorded(() => 0.4, 1), recorded(() => 0.9, 2)];
    expect(compareRecorded(old, fresh)).toMatchObject({ kind: 'better', evidence: { pairs: 60 }, needed: 20 });
    expect(compareRecorded(fresh, old, { name: 'old' })).toMatchObject({
      kind: 'worse',
      why: 'mean',
      candidate: 'old',
    });
  });

  it('rarely show a gain where there is none, however many epochs repeat the same problems', () => {
    let wrong = 0;
    for (let seed = 1; seed <= 200; seed++) {
      // Each version happens to be good at other problems, in every epoch again.
      const random = seededRandom(seed);
      const luck = Array.from({ length: 120 }, () => (random() < 0.5 ? 1 : 0));
      const old = recorded((problem) => luck[problem] ?? 0, seed, 10);
      const fresh = recorded((problem) => luck[problem + 60] ?? 0, seed, 10);
      if (compareRecorded(old, fresh).evidence.eBetter >= 20) wrong++;
    }
    expect(wrong / 200).toBeLessThanOrEqual(0.05);
  });

  it('name a problem that a version loses, and block it on demand or if it costs too much more', () => {
    const old = recorded((problem) => (problem === 7 ? 1 : 0.2), 1, 6, { costUsd: 0.01 });
    const broken = recorded((problem) => (problem === 7 ? 0 : 0.9), 2, 6, { costUsd: 0.01 });
    const loses = [{ problemId: 'p7', runs: 6 }];
    expect(compareRecorded(old, broken)).toMatchObject({ kind: 'better', loses });
    expect(compareRecorded(old, broken, { losses: 'block' })).toMatchObject({ kind: 'worse', why: 'losses', loses });
    const costly = recorded(() => 0.9, 2, 6, { costUsd: 0.1 });
    expect(compareRecorded(old, costly)).toMatchObject({ kind: 'worse', why: 'guard', guard: 'cost' });
  });

  it('show that a cheaper version is not worse', () => {
    const [old, cheap] = [recorded(() => 1, 1), recorded(() => 1, 2)];
    expect(compareRecorded(old, cheap, { notWorseBy: 0.1 })).toMatchObject({ kind: 'not-worse', by: 0.1 });
    expect(compareRecorded(old, cheap)).toMatchObject({ kind: 'unknown', why: 'recorded' });
    expect(
      compareRecorded(
        old,
        recorded(() => 0.5, 2),
        { notWorseBy: 0.1 },
      ),
    ).toMatchObject({ kind: 'worse' });
  });

  it('are compared on the problems that both have', () => {
    const comparison = compareRecorded(recorded(() => 0.5, 1).slice(0, 20), recorded(() => 0.5, 2).slice(10));
    expect(comparison).toMatchObject({ kind: 'unknown', why: 'recorded', evidence: { pairs: 10 } });
    expect(describeComparison(comparison)).toMatch(
      /is unknown: evidence [\d.]+ of 20 needed, with every recorded problem\./,
    );
    expect(compareRecorded([], [])).toMatchObject({ kind: 'unknown', evidence: { pairs: 0 } });
    expect(() => compareRecorded([], [], { alpha: 2 })).toThrow('alpha is 2: give a number above 0 and below 1');
  });
});
