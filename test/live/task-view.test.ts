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
import type { TaskTexts } from '../../src/live/task-texts.js';
import { TaskView } from '../../src/live/task-view.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const SCOPE = { task: 'api_call' };
const change = (set: PolicyChange['set']): PolicyChange => ({ kind: 'policy', scope: SCOPE, set, undo: {} });
const RETRY = change({ 'retries.network': 2 });
const LIMIT = change({ 'timeout.attemptMs': 500 });
/** A change of a host's kind that changes no setting. */
const DATA = { kind: 'my.data', scope: SCOPE, undo: {} } as unknown as PolicyChange;

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
  const data: ChangeKind = {
    kind: 'my.data',
    propose: () => [],
    effect: () => ({ given: { limit: 3 } }),
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
  const prompts: Components['prompts'] = {};
  const components = {
    ...{ ledger, prompts, kinds: new ChangeKinds([policyOnly(), data]) },
    repeats: new RepeatRules({ own: {}, answers: () => new Map() }),
  } as unknown as Components; // the parts that are read
  const view = new TaskView(() => components);
  view.refresh();
  return { view, prompts, rebuilds: () => rebuilds };
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
    const own = new TaskView(() => ({ ledger, kinds, repeats, prompts: {} }) as unknown as Components);
    own.refresh();
    expect(idsOf(own.assign(starting(), undefined))).toEqual(['retry']);
    expect(idsOf(own.assign(starting(), false))).toEqual([]);
    expect(idsOf(view.assign(starting(), undefined))).toEqual([]);
  });

  it('are those that the named texts leave, which know what each session began with', () => {
    const { view, prompts } = viewOf(fixOf('tried', { change: LIMIT }), fixOf('other', { change: RETRY }));
    const asked: unknown[] = [];
    const arms: TaskTexts['arms'] = (drawn, start, active) => {
      asked.push(start, active);
      return drawn.slice(1);
    };
    prompts.texts = { arms } as TaskTexts; // the part that is called
    const start = starting({ session: 's' });
    expect(idsOf(view.assign(start, true))).toEqual(['other']);
    expect(asked).toEqual([start, view.active]);
    expect(view.active.usable.map(({ id }) => id)).toEqual(['other', 'tried']);
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
    const { view } = viewOf(fixOf('ended', { status: 'rolled-back' }), fixOf('data', { change: DATA }));
    const arms = (['fix', 'control'] as const).flatMap((arm) => ['ended', 'data', 'gone'].map((id) => drew(id, arm)));
    expect(view.changes(SCOPE, arms)).toEqual({ add: [], hold: [] });
  });

  it('can be listed for all running trials', () => {
    const { view } = viewOf(
      fixOf('tried', { change: RETRY }),
      fixOf('kept', { change: LIMIT, status: 'confirmed' }),
      fixOf('data', { change: DATA }),
    );
    expect(view.settingsOnTrial()).toEqual([RETRY]);
  });
});
