import { describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../src/contract/change.js';
import type { ChangeKind } from '../../src/contract/change-kind.js';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId, OutcomeId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Arm, ArmAssignment } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import type { Components } from '../../src/judge/components.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { SessionsBegun } from '../../src/live/sessions-begun.js';
import { TaskView } from '../../src/live/task-view.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const SCOPE = { task: 'api_call' };
const change = (set: PolicyChange['set']): PolicyChange => ({ kind: 'policy', scope: SCOPE, set, undo: {} });
const RETRY = change({ 'retries.network': 2 });
const LIMIT = change({ 'timeout.attemptMs': 500 });
/** A change of a host's kind that gives every task another version of the text `system`. */
const TEXT = { kind: 'my.text', scope: SCOPE, undo: {} } as unknown as PolicyChange;
const TEXT_EFFECT = {
  name: 'system',
  version: 'v2',
  text: 'new',
  before: { version: 'v1', text: 'old' },
  replaces: [],
};

function fixOf(id: string, parts: Partial<Fix> = {}): Fix {
  const trial: Trial = {
    ...{ fixId: id as FixId, unit: 'task', scope: SCOPE, phase: 'running', phaseSinceMs: 0, share: 0.999 },
    ...{ alpha: 0.05, openedMs: 0, deadlineMs: 1e12, seed: 1, past: { tasks: 100, failures: 30 } },
    ...parts.trial,
  };
  return { ...proposedFix(id), status: 'trial', ...parts, trial };
}

/** The view of starting tasks on a ledger with these fixes, which came to their status at time 100. */
function viewOf(...fixes: readonly Fix[]) {
  const active = new Map(fixes.map((fix) => [fix.id, fix]));
  const historyOf = (id: FixId): readonly LedgerEntry[] => {
    const { status: to, trial } = active.get(id) ?? fixOf('none');
    return [{ kind: 'fix-moved', atMs: 100, by: 'auto', fixId: id, to, reason: 'it', ...(trial && { trial }) }];
  };
  let rebuilds = 0;
  const text: ChangeKind = {
    kind: 'my.text',
    propose: () => [],
    effect: () => ({ text: TEXT_EFFECT }),
    content: () => ({}),
    describe: () => ({ title: '', undo: '', inForce: '', rolledBack: '' }),
  };
  const ledger = {
    historyOf,
    get state() {
      rebuilds++;
      return { fixes: active, active };
    },
  };
  const sessions = new SessionsBegun(() => true);
  const components = {
    ...{ ledger, sessions, kinds: new ChangeKinds([policyOnly(), text]) },
    repeats: new RepeatRules({ own: {}, answers: () => new Map() }),
  } as unknown as Components; // the parts that are read
  const view = new TaskView(() => components);
  view.refresh();
  return { view, sessions, rebuilds: () => rebuilds };
}

const starting = (parts: { session?: string; atMs?: number } = {}) => ({
  ...{ id: 'o1' as OutcomeId, scope: SCOPE, atMs: 150 },
  ...parts,
});
const idsOf = (arms: readonly ArmAssignment[]) => arms.map(({ fixId }) => fixId);
const drew = (fixId: string, arm: Arm): ArmAssignment => ({ fixId: fixId as FixId, unit: 'u', arm, share: 0.5 });

describe('the fixes that a starting task sees', () => {
  it('are none before the decisions were read, and none after they were cleared', () => {
    const { view } = viewOf(fixOf('a'));
    expect(idsOf(view.assign(starting(), true))).toEqual(['a']);
    view.clear();
    expect(view.assign(starting(), true)).toEqual([]);
    view.refresh();
    expect(idsOf(view.assign(starting(), true))).toEqual(['a']);
    const unread = new TaskView(() => {
      throw new Error('read too early');
    });
    expect(unread.assign(starting(), true)).toEqual([]);
  });

  it('are looked up once for all tasks until the next decision', () => {
    const { view, rebuilds } = viewOf(fixOf('a'));
    for (let count = 0; count < 5; count++) view.assign(starting(), true);
    expect(rebuilds()).toBe(1);
    view.refresh();
    view.refresh();
    view.assign(starting(), true);
    expect(rebuilds()).toBe(2);
  });
});

describe('the arms of a starting task', () => {
  it('include fixes that repeat the task only if it may run twice', () => {
    const { view } = viewOf(fixOf('retry', { change: RETRY }), fixOf('limit', { change: LIMIT }));
    expect(idsOf(view.assign(starting(), true))).toEqual(['retry', 'limit']);
    expect(idsOf(view.assign(starting(), undefined))).toEqual(['limit']);
    expect(idsOf(view.assign(starting(), false))).toEqual(['limit']);
  });

  it('differ between an open question and a no if the user retries anyway', () => {
    const { view } = viewOf(fixOf('retry', { change: RETRY }));
    // The same retry in the user's own settings: only a no forbids it.
    const kinds = new ChangeKinds([policyOnly()]);
    const repeats = new RepeatRules({ own: { 'retries.network': 2 }, answers: () => new Map() });
    const fixes = new Map([['retry', fixOf('retry', { change: RETRY })]]);
    const ledger = { historyOf: () => [], state: { fixes, active: fixes } };
    const own = new TaskView(() => ({ ledger, kinds, repeats }) as unknown as Components);
    own.refresh();
    expect(idsOf(own.assign(starting(), undefined))).toEqual(['retry']);
    expect(idsOf(own.assign(starting(), false))).toEqual([]);
    expect(idsOf(view.assign(starting(), undefined))).toEqual([]);
  });

  it('leave out the trial of a text that the session is too old for, and note when sessions began', () => {
    const trial = { unit: 'session' } as Trial;
    const { view, sessions } = viewOf(fixOf('text', { change: TEXT, trial }), fixOf('limit', { change: LIMIT }));
    expect(idsOf(view.assign(starting({ session: 'old', atMs: 50 }), true))).toEqual(['limit']);
    expect(idsOf(view.assign(starting({ session: 'old', atMs: 150 }), true))).toEqual(['limit']);
    expect(idsOf(view.assign(starting({ session: 'new', atMs: 150 }), true))).toEqual(['text', 'limit']);
    expect([sessions.of('old'), sessions.of('new')]).toEqual([50, 150]);
  });
});

describe('the texts of a starting task', () => {
  const trial = { unit: 'session' } as Trial;
  const given = (uses: readonly { isGiven: boolean }[]) => uses.map(({ isGiven }) => isGiven);

  it('are those that its session began with', () => {
    const { view } = viewOf(fixOf('text', { change: TEXT, trial }));
    const arms = [drew('text', 'fix')];
    expect(given(view.texts(SCOPE, arms, 'old', 50))).toEqual([]);
    expect(given(view.texts(SCOPE, arms, 'old', 150))).toEqual([]);
    expect(given(view.texts(SCOPE, arms, 'new', 150))).toEqual([true]);
    expect(given(view.texts(SCOPE, arms, undefined, 50))).toEqual([true]);
  });

  it('can be read without starting a task: a session that is not known counts as beginning', () => {
    const { view, sessions } = viewOf(fixOf('text', { change: TEXT, trial }));
    sessions.note('old', 50);
    expect(given(view.readTexts(SCOPE, 'old', 150))).toEqual([]);
    expect(given(view.readTexts(SCOPE, 'new', 150))).toEqual([true]);
    expect(given(view.readTexts(SCOPE, undefined, 150))).toEqual([]);
    expect(sessions.of('new')).toBeUndefined();
  });

  it('show no trial that compares tasks or blocks to a reader who names a session', () => {
    const blocks = { unit: 'block', blockMs: 10 } as Trial;
    const { view } = viewOf(fixOf('text', { change: TEXT, trial: blocks }));
    expect(given(view.readTexts(SCOPE, 'new', 150))).toEqual([]);
  });

  it('are those in force for a reader without a session', () => {
    const { view } = viewOf(fixOf('text', { change: TEXT, status: 'applied-unverified' }));
    expect(given(view.readTexts(SCOPE, undefined, 150))).toEqual([true]);
  });
});

describe('the settings that the arms of a task add and withhold', () => {
  it('are those of a trial in its fix arm, and those in force in control', () => {
    const { view } = viewOf(fixOf('tried', { change: RETRY }), fixOf('kept', { change: LIMIT, status: 'confirmed' }));
    const changes = (...arms: readonly ArmAssignment[]) => view.changes(SCOPE, arms);
    expect(changes(drew('tried', 'fix'), drew('kept', 'fix'))).toEqual({ add: [RETRY], hold: [] });
    expect(changes(drew('tried', 'control'), drew('kept', 'control'))).toEqual({ add: [], hold: [LIMIT] });
    expect(changes()).toEqual({ add: [], hold: [] });
  });

  it('are none of a fix that has ended, is not known, or changes no setting', () => {
    const { view } = viewOf(fixOf('ended', { status: 'rolled-back' }), fixOf('text', { change: TEXT }));
    const arms = (['fix', 'control'] as const).flatMap((arm) => ['ended', 'text', 'gone'].map((id) => drew(id, arm)));
    expect(view.changes(SCOPE, arms)).toEqual({ add: [], hold: [] });
  });

  it('can be listed for all running trials', () => {
    const { view } = viewOf(
      fixOf('tried', { change: RETRY }),
      fixOf('kept', { change: LIMIT, status: 'confirmed' }),
      fixOf('text', { change: TEXT }),
    );
    expect(view.settingsOnTrial()).toEqual([RETRY]);
  });
});
