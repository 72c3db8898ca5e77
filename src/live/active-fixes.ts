import type { Change, PolicyChange } from '../contract/change.js';
import { type Fix, type FixStatus, isApprovedByPerson } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { JsonObject } from '../contract/json.js';
import type { Trial } from '../contract/trial.js';
import type { ChangeKinds, KindInForce } from '../fix/change-kinds.js';
import type { Ledger } from '../ledger/ledger.js';
import { isInForce } from '../ledger/legal-steps.js';
import { LayeredMap } from '../lib/layered-map.js';
import type { RepeatRules } from '../lib/repeat.js';

/** Fix whose change is handed out as an instruction for the agent. */
export interface AdviceFix {
  readonly fix: Fix;
  readonly text: string;
}

/** Fix whose change is handed to the task as data. */
export interface GivenFix {
  readonly fix: Fix;
  readonly given: JsonObject;
}

/** Decisions in force, and what is needed to read their effects. */
export interface Decided {
  readonly ledger: Pick<Ledger, 'state' | 'broken'>;
  readonly kinds: ChangeKinds<KindInForce>;
  readonly repeats: RepeatRules;
  /** Why no trial may run in this process, regardless of the ledger. */
  readonly noTrials?: string;
  /** Whether this process takes part in trials that no person approved. Default true. */
  readonly autoFix?: boolean;
  /** Fixes that are off in this process. Default: none. */
  readonly braked?: ReadonlyMap<FixId, unknown>;
}

/** Fixes and trials that apply to the next task. Rebuilt after each decision that changes them. */
export interface ActiveFixes {
  /** Trials that draw arms: running ones and the holdouts of confirmed fixes. */
  readonly trials: readonly Trial[];
  /** The same without trials that repeat tasks: for tasks with no answer on repeating, and for tasks with a no. */
  readonly trialsWithoutRepeats: { readonly unknown: readonly Trial[]; readonly never: readonly Trial[] };
  readonly fixes: LayeredMap<FixId, Fix>;
  /** Fixes whose changes some or all tasks get, in the order in which they came into force. */
  readonly usable: readonly Fix[];
  /** Advice that some or all sessions get, in the same order. */
  readonly advice: readonly AdviceFix[];
  /** Data that some or all tasks get, in the same order. */
  readonly given: readonly GivenFix[];
  /** Returns the settings of a change that its kind gives to tasks. */
  readonly settingsOf: (change: Change) => PolicyChange | undefined;
}

export const NO_ACTIVE_FIXES: ActiveFixes = {
  trials: [],
  trialsWithoutRepeats: { unknown: [], never: [] },
  fixes: new LayeredMap(),
  usable: [],
  advice: [],
  given: [],
  settingsOf: () => undefined,
};

/**
 * Returns why no trial may run in this process: the host or the store forbids it, or ledger entries were tampered with.
 */
export function whyNoTrials({ ledger, noTrials }: Pick<Decided, 'ledger' | 'noTrials'>): string | undefined {
  return noTrials ?? ledger.broken;
}

export function activeFixes({ ledger, noTrials, repeats, kinds, braked, autoFix = true }: Decided): ActiveFixes {
  const { fixes, active, frozen, paused } = ledger.state;
  // Ledger text written by another program must never reach an agent.
  if (ledger.broken !== undefined) return { ...NO_ACTIVE_FIXES, fixes };
  const tried = [...active.values()]
    .filter(({ status }) => isRandomised(status) || isInForce(status))
    .filter(({ id }) => !braked?.has(id))
    // A paused trial draws no arms: its tasks run as without the fix and do not count.
    .filter(({ status }) => paused === undefined || status !== 'trial')
    // Tasks of a process that cannot apply a change must not count as its fix arm.
    .filter(({ change }) => kinds.knows(change))
    // This process decides for itself, whichever process leads.
    .filter((fix) => autoFix || fix.status !== 'trial' || kinds.needsPerson(fix.change) || isApprovedByPerson(fix));
  const usable = tried
    // Checked at the proposal and again here, because stored text can be modified by others.
    .filter(({ change }) => kinds.of(change).problem?.(change) === undefined)
    .sort((a, b) => a.changedMs - b.changedMs || (a.id < b.id ? -1 : 1));
  const effects = usable.map((fix) => ({ fix, ...kinds.of(fix.change).effect(fix.change) }));
  const handedOut = {
    fixes,
    usable,
    advice: effects.flatMap(({ fix, advice: text }) => (text === undefined ? [] : [{ fix, text }])),
    given: effects.flatMap(({ fix, given }) => (given === undefined ? [] : [{ fix, given }])),
    settingsOf: (change: Change) => kinds.of(change).effect(change).settings,
  };
  if (frozen || noTrials) return { ...NO_ACTIVE_FIXES, ...handedOut };
  const drawn = tried.filter((fix) => fix.trial && isRandomised(fix.status) && !isBeingReplaced(fix, tried, kinds));
  const trialsOf = (some: readonly Fix[]) => some.flatMap(({ trial }) => trial ?? []);
  const trialsWithoutRepeats = {
    unknown: trialsOf(drawn.filter(({ change }) => !repeats.repeats(kinds.settings(change)))),
    never: trialsOf(drawn.filter(({ change }) => !repeats.repeats(kinds.settings(change), false))),
  };
  return { ...handedOut, trials: trialsOf(drawn), trialsWithoutRepeats };
}

/**
 * Returns whether a running trial sets the same as this fix in force. Its holdout then rests: both arms of that trial
 * run with the settings in force, so that the trial shows the difference to these.
 */
function isBeingReplaced(fix: Fix, tried: readonly Fix[], kinds: ChangeKinds<KindInForce>): boolean {
  if (fix.trial?.phase !== 'holdout') return false;
  return tried.some(
    ({ id, status, change }) => id !== fix.id && status === 'trial' && kinds.replaces(fix.change, change),
  );
}

/**
 * Returns whether a fix in this status draws arms: on trial, or confirmed with a holdout. A fix that a person kept
 * without proof applies to all tasks.
 */
export function isRandomised(status: FixStatus): boolean {
  return status === 'trial' || status === 'confirmed' || status === 'reopened';
}
