import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/contract/trial.js';
import {
  alarmReason,
  type Conclusion,
  changeReason,
  continued,
  isChange,
  isNewShare,
} from '../../src/verify/conclusion.js';
import { trialOf } from './harness.js';

const atMs = 5;
const trial: Trial = trialOf();
const CONCLUSIONS: readonly Conclusion[] = [
  { kind: 'confirmed', atMs },
  { kind: 'alarm', atMs, why: 'harm' },
  { kind: 'ramp', atMs },
  { kind: 'wake', atMs },
  { kind: 'sleep', atMs },
  { kind: 'smaller-holdout', atMs },
  { kind: 'spare', atMs, scope: { model: 'haiku' }, why: 'harm' },
  { kind: 'failed', atMs, why: 'harm' },
  { kind: 'inconclusive', atMs, why: 'deadline' },
];
const kindsOf = (fits: (one: Conclusion) => boolean) => CONCLUSIONS.filter(fits).map(({ kind }) => kind);

describe('a trial after a conclusion', () => {
  it.for<[Conclusion, Partial<Trial> | undefined]>([
    [
      { kind: 'ramp', atMs },
      { phase: 'ramp', share: 0.9 },
    ],
    [
      { kind: 'confirmed', atMs },
      { phase: 'holdout', share: 0.9 },
    ],
    [
      { kind: 'wake', atMs },
      { phase: 'running', share: 0.5 },
    ],
    [
      { kind: 'sleep', atMs },
      { phase: 'running', share: 0.98 },
    ],
    [
      { kind: 'smaller-holdout', atMs },
      { phase: 'running', share: 0.98 },
    ],
    [
      { kind: 'confirmed', atMs, doubted: [{ model: 'haiku' }] },
      { phase: 'holdout', share: 0.9, doubted: [{ model: 'haiku' }] },
    ],
    [{ kind: 'trust', atMs, scope: { model: 'haiku' }, helps: true }, { phase: 'running' }],
    [{ kind: 'alarm', atMs, why: 'harm' }, undefined],
    [{ kind: 'failed', atMs, why: 'harm' }, undefined],
    [{ kind: 'inconclusive', atMs, why: 'deadline' }, undefined],
  ])('of $0.kind goes on with its phase and share, or ends', ([ruling, parts]) => {
    const next = continued(trial, ruling, 0.02, 0.98);
    expect(next).toEqual(parts && { ...trial, ...parts, phaseSinceMs: atMs });
  });

  it('changes only its share where one choice of models looks better', () => {
    expect(continued(trial, { kind: 'more', atMs }, 0.02, 0.98)).toEqual({ ...trial, share: 0.8 });
    expect(continued(trial, { kind: 'fewer', atMs }, 0.02, 0.98)).toEqual({ ...trial, share: 1 - 0.8 });
    expect([isNewShare({ kind: 'more', atMs }), isChange({ kind: 'fewer', atMs })]).toEqual([true, true]);
  });

  it('keeps a permanent control larger than the first one', () => {
    expect(continued(trial, { kind: 'confirmed', atMs }, 0.3, 0.7)?.share).toBe(0.7);
  });

  it('spares one kind of task more each time', () => {
    const once = continued(trial, { kind: 'spare', atMs, scope: { model: 'a' }, why: 'harm' }, 0.02, 0.98);
    expect(once?.scope).toEqual({ task: 'ask', except: [{ model: 'a' }] });
    const twice = continued(once ?? trial, { kind: 'spare', atMs, scope: { tool: 'b' }, why: 'no-effect' }, 0.02, 0.98);
    expect(twice).toMatchObject({
      share: trial.share,
      scope: { task: 'ask', except: [{ model: 'a' }, { tool: 'b' }] },
    });
  });
});

describe('a conclusion', () => {
  it('changes the trial, only its share, or ends it', () => {
    expect(kindsOf(isChange)).toEqual(['ramp', 'wake', 'sleep', 'smaller-holdout', 'spare']);
    expect(kindsOf(isNewShare)).toEqual(['wake', 'sleep', 'smaller-holdout']);
  });

  it.for<[Extract<Conclusion, { kind: 'alarm' }>, string]>([
    [{ kind: 'alarm', atMs, why: 'harm' }, 'more tasks fail with it than without it since it was confirmed'],
    [
      { kind: 'alarm', atMs, why: 'no-effect' },
      'more tasks failed after it was confirmed, and a fresh trial shows no useful effect',
    ],
    [{ kind: 'alarm', atMs, why: 'guard', guard: 'duration' }, 'tasks take longer with it than'],
    [{ kind: 'alarm', atMs, why: 'guard', guard: 'tokens' }, 'tasks use more tokens with it'],
    [{ kind: 'alarm', atMs, why: 'guard', guard: 'cost' }, 'tasks cost more with it'],
    [{ kind: 'alarm', atMs, why: 'guard', guard: 'quality' }, 'answers are worse with it'],
    [{ kind: 'alarm', atMs, why: 'guard', guard: 'other-tasks' }, 'tasks after it or beside it fail more with it'],
  ])('says why a confirmed fix is rolled back: $0.why $0.guard', ([alarm, reason]) => {
    expect(alarmReason(alarm)).toContain(reason);
  });

  it('says why a trial changes, with the kind of task that is spared', () => {
    const spared = (why: 'harm' | 'no-effect') =>
      changeReason({ kind: 'spare', atMs, scope: { model: 'haiku', tool: 'search' }, why });
    expect(spared('harm')).toBe('does harm with model haiku, tool search: not applied there any more');
    expect(spared('no-effect')).toBe('is of no use with model haiku, tool search: not applied there any more');
    expect(changeReason({ kind: 'ramp', atMs })).toMatch(/^helps with half of the blocks/);
    expect(changeReason({ kind: 'sleep', atMs })).toMatch(/^a fresh trial found nothing/);
  });
});
