import { describe, expect, it } from 'vitest';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Arm, ArmAssignment } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { type ActiveFixes, NO_ACTIVE_FIXES } from '../../src/live/active-fixes.js';
import { adviceOf, givenTo, readAdvice } from '../../src/live/advice.js';

const SCOPE: Scope = { task: 'report', source: 'agent' };
const OTHER: Scope = { task: 'mail', source: 'agent' };

interface FixParts {
  readonly status?: FixStatus;
  readonly scope?: Scope;
  readonly written?: boolean;
  readonly unit?: Fix['unit'];
  readonly id?: string;
}

const fixOf = ({ status = 'confirmed', scope = SCOPE, written = false, unit = 'session', id = 'a' }: FixParts): Fix =>
  ({
    ...{ id, status, unit, change: { scope } },
    ...(written && { written: { path: 'AGENTS.md', atMs: 1 } }),
  }) as unknown as Fix; // the parts that are read

const rules = (...fixes: readonly FixParts[]): ActiveFixes => ({
  ...NO_ACTIVE_FIXES,
  advice: fixes.map((parts) => ({ fix: fixOf(parts), text: `rule ${parts.id ?? 'a'}` })),
});
const data = (...fixes: readonly FixParts[]): ActiveFixes => ({
  ...NO_ACTIVE_FIXES,
  given: fixes.map((parts) => ({ fix: fixOf(parts), given: { of: parts.id ?? 'a' } })),
});
const drew = (arm: Arm, fixId = 'a'): ArmAssignment => ({ fixId: fixId as FixId, unit: 's', arm, share: 0.5 });

describe('the rules of a task', () => {
  it('are those in force, but not those that the files of the agent contain', () => {
    const active = rules({ id: 'a' }, { id: 'b', status: 'applied-unverified' }, { id: 'c', written: true });
    expect(adviceOf(active, SCOPE, [], undefined)).toEqual(['rule a', 'rule b']);
    expect(adviceOf(NO_ACTIVE_FIXES, SCOPE, [], undefined)).toEqual([]);
  });

  it('are those on trial if the session drew the fix', () => {
    const active = rules({ status: 'trial' });
    expect(adviceOf(active, SCOPE, [drew('fix')], 's')).toEqual(['rule a']);
    expect(adviceOf(active, SCOPE, [drew('control')], 's')).toEqual([]);
    expect(adviceOf(active, SCOPE, [drew('fix', 'b')], 's')).toEqual([]);
    expect(adviceOf(active, SCOPE, [], 's')).toEqual([]);
  });

  it('leave out a rule in force in the holdout, and say so if the agent has it in a file', () => {
    expect(adviceOf(rules({}), SCOPE, [drew('control')], 's')).toEqual([]);
    expect(adviceOf(rules({ written: true }), SCOPE, [drew('control')], 's')).toEqual([
      'In this session, leave out rule a of AGENTS.md.',
    ]);
    expect(adviceOf(rules({}), SCOPE, [drew('fix')], 's')).toEqual(['rule a']);
  });

  it('are none of fixes that are neither on trial nor in force', () => {
    for (const status of ['proposed', 'approved', 'rolled-back'] as const) {
      expect(adviceOf(rules({ status }), SCOPE, [drew('fix')], 's')).toEqual([]);
    }
  });

  it('are those of all tasks in a session, as in the files of an agent, and else those of the task alone', () => {
    const active = rules({ id: 'a' }, { id: 'b', scope: OTHER }, { id: 'c', scope: { source: 'other agent' } });
    expect(adviceOf(active, SCOPE, [], 's')).toEqual(['rule a', 'rule b']);
    expect(adviceOf(active, SCOPE, [], undefined)).toEqual(['rule a']);
  });
});

describe('advice that is read without starting a task', () => {
  const trialOf = (unit: Trial['unit'], share: number): Trial => ({
    ...{ fixId: 'a' as FixId, unit, scope: SCOPE, phase: 'running', phaseSinceMs: 0, share, alpha: 0.05 },
    ...{ openedMs: 0, deadlineMs: 1e12, seed: 1, past: { tasks: 100, failures: 30 } },
  });
  const onTrial = (trial: Trial): ActiveFixes => ({ ...rules({ status: 'trial' }), trials: [trial] });

  it('includes rules on trial if the session would draw them', () => {
    const read = (trial: Trial, session?: string) =>
      readAdvice(onTrial(trial), { ...SCOPE, ...(session && { session }) }, 1);
    expect(read(trialOf('session', 0.999), 's')).toEqual(['rule a']);
    expect(read(trialOf('session', 0.001), 's')).toEqual([]);
    expect(read(trialOf('session', 0.999))).toEqual([]);
    // Time alone draws a block, but no session takes part in it.
    expect(read({ ...trialOf('block', 0.999), blockMs: 10 }, 's')).toEqual([]);
  });

  it('is that of every task for a new session, and of one task if the task is named alone', () => {
    const active = rules({ id: 'a' }, { id: 'b', scope: OTHER });
    expect(readAdvice(active, { source: 'agent' }, 1)).toEqual(['rule a', 'rule b']);
    expect(readAdvice(active, { ...SCOPE }, 1)).toEqual(['rule a']);
    expect(readAdvice(active, { ...SCOPE, session: 's' }, 1)).toEqual(['rule a', 'rule b']);
  });
});

describe('the data of a custom kind that a task gets', () => {
  const given = (active: ActiveFixes, scope: Scope, arms: readonly ArmAssignment[] = [], session?: string) =>
    givenTo(active, scope, arms, session).map(({ of }) => of);

  it('is that in force, unless the task is held out', () => {
    expect(given(data({ unit: 'task' }), SCOPE)).toEqual(['a']);
    expect(given(data({ unit: 'task' }), SCOPE, [drew('fix')])).toEqual(['a']);
    expect(given(data({ unit: 'task' }), SCOPE, [drew('control')])).toEqual([]);
    expect(given(data({ unit: 'task' }), SCOPE, [drew('control', 'b')])).toEqual(['a']);
    expect(given(data({ unit: 'task', status: 'approved' }), SCOPE)).toEqual([]);
    expect(given(NO_ACTIVE_FIXES, SCOPE)).toEqual([]);
  });

  it('is that on trial if the task drew the fix', () => {
    const active = data({ unit: 'task', status: 'trial' });
    expect(given(active, SCOPE, [drew('fix')])).toEqual(['a']);
    expect(given(active, SCOPE, [drew('control')])).toEqual([]);
    expect(given(active, SCOPE)).toEqual([]);
  });

  it('is that of its own task, but of the whole session if sessions are compared', () => {
    expect(given(data({ unit: 'task' }), OTHER, [], 's')).toEqual([]);
    expect(given(data({ unit: 'session' }), OTHER)).toEqual([]);
    expect(given(data({ unit: 'session' }), OTHER, [], 's')).toEqual(['a']);
  });
});
