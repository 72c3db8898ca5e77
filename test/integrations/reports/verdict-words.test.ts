import type { Fix, TrialFigures, Verdict } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { resultWords, tasksToProof } from '../../../integrations/reports/words/sentences.js';

const arm = (tasks: number, failures: number) => ({ units: tasks, tasks, failures });
const FIGURES: TrialFigures = {
  ...{ fix: arm(50, 2), control: arm(50, 10), effect: { value: 0.2, low: 0.05, high: 0.9 } },
  ...{ eHelp: 5, eHarm: 0.01, eNone: 0.01, needed: 40, guards: [] },
};
const SUCCESS = '96 % of 50 tasks succeeded with it, 80 % of 50 without';
/** The words need the status, the verdict and the end of the trial alone. */
const fix = (parts: Partial<Fix>) => ({ status: 'trial', ...parts }) as Fix;
const verdict = (parts: object) => fix({ verdict: { atMs: 0, figures: FIGURES, ...parts } as Verdict });

describe('the result of a fix in words', () => {
  it('says who succeeded with it and without, and whether that is proven', () => {
    expect(resultWords(verdict({ kind: 'confirmed' }), FIGURES)).toBe(`is proven to help: ${SUCCESS}`);
    expect(resultWords(verdict({ kind: 'failed', why: 'harm' }), FIGURES)).toBe(`did harm: ${SUCCESS}`);
  });

  it('says of a running trial about how long a proof takes', () => {
    expect(resultWords(fix({}), FIGURES)).toBe(
      `is not proven yet: ${SUCCESS}; about 130 more tasks to a proof at this pace`,
    );
    expect(resultWords(fix({}), { ...FIGURES, eHelp: 45 })).toMatch(
      /^helps so far: .*; the loop checks for side effects/,
    );
    expect(resultWords(fix({}), { ...FIGURES, eHelp: 0.8 })).toMatch(/; too early to say how long a proof takes$/);
    expect(tasksToProof({ ...FIGURES, inScope: { fix: arm(500, 20), control: arm(500, 100) } })).toBe(1_300);
  });

  it('says that a rule was given and not followed instead of that it does not help, and no more than was shown', () => {
    const follows = (followed: number, notFollowed: number, given = followed + notFollowed) =>
      ({ unit: 'session', given, followed, notFollowed }) as const;
    const none = verdict({ kind: 'failed', why: 'no-effect' });
    expect(resultWords(none, FIGURES, follows(3, 38))).toBe(
      `was given and not followed: 3 of 41 sessions followed it; ${SUCCESS}`,
    );
    expect(resultWords(none, FIGURES, follows(30, 11, 60))).toBe(
      `had no useful effect: ${SUCCESS}; 30 of 41 sessions followed it (not shown in 19 more)`,
    );
    // Four sessions are too few to say it, and harm is harm.
    expect(resultWords(none, FIGURES, follows(0, 4))).toMatch(
      /^had no useful effect: .*; 0 of 4 sessions followed it$/,
    );
    expect(resultWords(verdict({ kind: 'failed', why: 'harm' }), FIGURES, follows(3, 38))).toBe(
      `did harm: ${SUCCESS}; given and not followed: 3 of 41 sessions followed it`,
    );
    expect(resultWords(verdict({ kind: 'confirmed' }), FIGURES, follows(41, 0))).toBe(
      `is proven to help: ${SUCCESS}; 41 of 41 sessions followed it`,
    );
    expect(resultWords(fix({}), FIGURES, follows(1, 9))).toMatch(/pace; given and not followed: 1 of 10 sessions/);
  });

  it('states no e-value, whatever the verdict', () => {
    const ended = { atMs: 0, by: 'ann', reason: 'release', figures: FIGURES } as NonNullable<Fix['trialEnd']>;
    const whys = ['harm', 'no-effect', 'guard', 'interference', 'deadline', 'enough-failures-seen', 'not-randomised'];
    const all = [
      ...whys.map((why) => verdict({ kind: why === 'deadline' ? 'inconclusive' : 'failed', why, guard: 'cost' })),
      ...[verdict({ kind: 'confirmed' }), fix({}), fix({ status: 'rolled-back', trialEnd: ended })],
    ].map((one) => resultWords(one, FIGURES));
    for (const words of all) {
      expect(words).toContain(SUCCESS);
      expect(words).not.toMatch(/evidence|e-value|ratio|of 40/);
    }
  });
});
