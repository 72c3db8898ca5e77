import type { RuleChange } from '../contract/change.js';
import type { Fix, FixStatus } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Trial } from '../contract/trial.js';
import { checkRule } from '../fix/check-rule.js';
import { isInForce } from '../ledger/legal-steps.js';
import { LayeredMap } from '../lib/layered-map.js';
import type { Components } from './components.js';

/** A fix whose change is a rule. */
export type RuleFix = Fix & { readonly change: RuleChange };

export function isRule(fix: Fix): fix is RuleFix {
  return fix.change.kind === 'rule';
}

/** Fixes and trials that apply to the next task. Rebuilt after each decision that changes them. */
export interface ActiveFixes {
  /** Trials that draw arms: running ones and the holdouts of confirmed fixes. */
  readonly trials: readonly Trial[];
  /** The same without trials that repeat tasks: for tasks with no answer on repeating, and for tasks with a no. */
  readonly trialsWithoutRepeats: { readonly unknown: readonly Trial[]; readonly never: readonly Trial[] };
  readonly fixes: LayeredMap<FixId, Fix>;
  /** Rules that some or all sessions get, in the order in which they came into force. */
  readonly rules: readonly RuleFix[];
}

export const NO_ACTIVE_FIXES: ActiveFixes = {
  trials: [],
  trialsWithoutRepeats: { unknown: [], never: [] },
  fixes: new LayeredMap(),
  rules: [],
};

/**
 * Returns why no trial may run in this process: the host or the store forbids it, or ledger entries were tampered with.
 */
export function whyNoTrials({ ledger, noTrials }: Pick<Components, 'ledger' | 'noTrials'>): string | undefined {
  return noTrials ?? ledger.broken;
}

export function activeFixes({
  ledger,
  noTrials,
  repeats,
}: Pick<Components, 'ledger' | 'noTrials' | 'repeats'>): ActiveFixes {
  const { fixes, active, frozen } = ledger.state;
  // Ledger text written by another program must never reach an agent.
  if (ledger.broken !== undefined) return { ...NO_ACTIVE_FIXES, fixes };
  const rules = [...active.values()]
    .filter(isRule)
    .filter(({ status }) => isRandomised(status) || isInForce(status))
    // Checked at the proposal and again here, because stored text can be modified by others.
    .filter(({ change }) => checkRule(change.text) === undefined)
    .sort((a, b) => a.changedMs - b.changedMs || (a.id < b.id ? -1 : 1));
  if (frozen || noTrials) return { ...NO_ACTIVE_FIXES, fixes, rules };
  const drawn = [...active.values()].filter(({ status, trial }) => trial && isRandomised(status));
  const trialsOf = (some: readonly Fix[]) => some.flatMap(({ trial }) => trial ?? []);
  const trialsWithoutRepeats = {
    unknown: trialsOf(drawn.filter(({ change }) => !repeats.repeats(change))),
    never: trialsOf(drawn.filter(({ change }) => !repeats.repeats(change, false))),
  };
  return { trials: trialsOf(drawn), trialsWithoutRepeats, fixes, rules };
}

/**
 * Returns whether a fix in this status draws arms: on trial, or confirmed with a holdout. A fix that a person kept
 * without proof applies to all tasks.
 */
export function isRandomised(status: FixStatus): boolean {
  return status === 'trial' || status === 'confirmed' || status === 'reopened';
}
