import { describe, expect, it } from 'vitest';
import type { TextEffect } from '../../../integrations/prompts/text-use.js';
import {
  type FixStep,
  type TextFix,
  type TextsFor,
  textsOf,
  withoutEarlier,
} from '../../../integrations/prompts/versions-of-task.js';
import type { Fix, FixStatus } from '../../../src/contract/fix.js';
import type { FixId } from '../../../src/contract/ids.js';
import type { Scope } from '../../../src/contract/scope.js';
import type { Arm, ArmAssignment } from '../../../src/contract/start.js';
import type { Trial } from '../../../src/contract/trial.js';

const SCOPE: Scope = { task: 'answer' };
const trialBy = (unit: Trial['unit'], parts: Partial<Trial> = {}): Trial => ({
  ...{ fixId: 'a' as FixId, unit, scope: SCOPE, phase: 'running', phaseSinceMs: 0, share: 0.5, alpha: 0.05 },
  ...{ openedMs: 0, deadlineMs: 1e12, seed: 1, past: { tasks: 100, failures: 30 } },
  ...parts,
});
/** A share of 0.999 draws the fix for all sessions of these tests, and one of 0.001 draws control. */
const BY_SESSION = trialBy('session', { share: 0.999 });
const CONTROL_BY_SESSION = trialBy('session', { share: 0.001 });

const step = (sinceMs: number, status: FixStatus, trial?: Trial): FixStep => ({ sinceMs, status, trial });
function textFix(steps: readonly FixStep[], id = 'a', scope = SCOPE): TextFix {
  const trial = steps.at(-1)?.trial;
  const fix = { id, change: { scope }, ...(trial && { trial }) } as unknown as Fix; // the parts that are read
  return { fix, steps, text: { name: 'system', version: id } as unknown as TextEffect };
}
const NO_TEXTS: readonly TextFix[] = [];
const having = (...texts: readonly TextFix[]) => texts;
const drew = (arm: Arm, fixId = 'a'): ArmAssignment => ({ fixId: fixId as FixId, unit: 'u', arm, share: 0.5 });

/** Returns the versions for a task: `a` if given, `no a` if held back. */
function versions(active: readonly TextFix[], about: Partial<TextsFor> = {}): readonly string[] {
  const uses = textsOf(active, { scope: SCOPE, arms: [], ...about });
  return uses.map(({ effect, isGiven }) => (isGiven ? effect.version : `no ${effect.version}`));
}

describe('the version of a text for a task outside of sessions', () => {
  it('is the tried one if the task drew the fix, and else the text of the host', () => {
    const active = having(textFix([step(1, 'trial', trialBy('task'))]));
    expect(versions(active, { arms: [drew('fix')] })).toEqual(['a']);
    expect(versions(active, { arms: [drew('control')] })).toEqual([]);
    expect(versions(active, { arms: [drew('fix', 'other')] })).toEqual([]);
    expect(versions(active)).toEqual([]);
  });

  it('is the one in force, which the holdout does not get', () => {
    const active = having(textFix([step(1, 'trial', trialBy('task')), step(2, 'confirmed', trialBy('task'))]));
    expect(versions(active)).toEqual(['a']);
    expect(versions(active, { arms: [drew('fix')] })).toEqual(['a']);
    expect(versions(active, { arms: [drew('control')] })).toEqual(['no a']);
  });

  it('is only one whose scope covers the task, in the order in which versions came into force', () => {
    const active = having(
      textFix([step(1, 'applied-unverified')], 'first'),
      textFix([step(1, 'applied-unverified')], 'elsewhere', { task: 'write' }),
      textFix([step(2, 'applied-unverified')], 'second'),
    );
    expect(versions(active)).toEqual(['first', 'second']);
    expect(versions(NO_TEXTS)).toEqual([]);
  });

  it('is the text of the host if the fix was proposed again and never tried', () => {
    expect(versions(having(textFix([])))).toEqual([]);
  });
});

describe('the version of a text for a session', () => {
  const steps = [step(100, 'trial', BY_SESSION), step(200, 'confirmed', BY_SESSION)];

  it('is the text of the host if the session began before the trial, or in the same millisecond', () => {
    const active = having(textFix(steps));
    const at = (beganMs: number) => versions(active, { session: 's', beganMs, arms: [drew('fix')] });
    expect(at(99)).toEqual([]);
    expect(at(100)).toEqual([]);
    expect(at(201)).toEqual(['a']);
  });

  it('stays as drawn when it began, after the trial has ended', () => {
    // The arms of the next task belong to the holdout, which opened after this session began.
    const about = { session: 's', beganMs: 150, arms: [drew('control')] };
    expect(versions(having(textFix(steps)), about)).toEqual(['a']);
    const drewControl = [step(100, 'trial', CONTROL_BY_SESSION), step(200, 'confirmed', BY_SESSION)];
    expect(versions(having(textFix(drewControl)), { ...about, arms: [drew('fix')] })).toEqual([]);
  });

  it('stays the one in force if it began while every session got it', () => {
    const active = having(textFix([step(100, 'applied-unverified'), step(200, 'confirmed', CONTROL_BY_SESSION)]));
    expect(versions(active, { session: 's', beganMs: 150 })).toEqual(['a']);
  });

  it('is held back for the whole session if it began in the holdout', () => {
    const holdout = { ...CONTROL_BY_SESSION, phase: 'holdout' as const };
    const active = having(textFix([step(100, 'confirmed', holdout), step(200, 'reopened', BY_SESSION)]));
    expect(versions(active, { session: 's', beganMs: 150 })).toEqual(['no a']);
  });

  it('is the text of the host if a trial by task ran when it began: sessions take no part in those', () => {
    const active = having(textFix([step(100, 'trial', trialBy('task')), step(200, 'confirmed', BY_SESSION)]));
    expect(versions(active, { session: 's', beganMs: 150, arms: [drew('fix')] })).toEqual([]);
  });

  it('follows the newest step if the start of the session is unknown', () => {
    expect(versions(having(textFix(steps)), { session: 's', arms: [drew('control')] })).toEqual(['no a']);
  });
});

describe('the arms that a task of a session reports', () => {
  const arms = [drew('fix'), drew('control', 'setting')];
  const kept = (active: readonly TextFix[], beganMs: number) =>
    withoutEarlier(arms, active, beganMs).map(({ fixId }) => fixId);

  it('include that of a text only if the session began after the last step of its trial', () => {
    const active = having(textFix([step(100, 'trial', BY_SESSION), step(200, 'trial', BY_SESSION)]));
    expect(kept(active, 150)).toEqual(['setting']);
    expect(kept(active, 200)).toEqual(['setting']);
    expect(kept(active, 201)).toEqual(['a', 'setting']);
  });

  it('never include that of a text in a trial by task', () => {
    expect(kept(having(textFix([step(100, 'trial', trialBy('task'))])), 500)).toEqual(['setting']);
  });

  it('are all of them if no text is tried', () => {
    expect(withoutEarlier(arms, NO_TEXTS, 0)).toBe(arms);
  });
});
