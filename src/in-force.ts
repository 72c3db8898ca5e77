import { checkRule } from './fix/check-rule.js';
import { isInForce } from './ledger/legal-steps.js';
import { LayeredMap } from './lib/layered-map.js';
import type { Fix, FixId, FixStatus, RuleChange, Trial } from './records.js';
import type { Rooms } from './rooms.js';

/** A fix whose change is a rule. */
export type RuleFix = Fix & { readonly change: RuleChange };

export function isRule(fix: Fix): fix is RuleFix {
  return fix.change.kind === 'rule';
}

/** What the decisions so far mean for the next task. Made anew when a decision changes it. */
export interface InForce {
  /** Trials that draw arms: running ones and the hold-backs of confirmed fixes. */
  readonly trials: readonly Trial[];
  /** Those among them that a task is drawn for which nobody said may be repeated, and one that may not. */
  readonly trialsWithoutRepeats: { readonly unknown: readonly Trial[]; readonly never: readonly Trial[] };
  readonly fixes: LayeredMap<FixId, Fix>;
  /** Rules that some session or every one is given, in the order in which they came into force. */
  readonly rules: readonly RuleFix[];
}

export const NOTHING_IN_FORCE: InForce = {
  trials: [],
  trialsWithoutRepeats: { unknown: [], never: [] },
  fixes: new LayeredMap(),
  rules: [],
};

/** Returns why no trial may run in this process: the host or the store says so, or entries of the ledger were tampered with. */
export function whyNoTrials({ ledger, noTrials }: Pick<Rooms, 'ledger' | 'noTrials'>): string | undefined {
  return noTrials ?? ledger.broken;
}

export function inForce({ ledger, noTrials, repeats }: Pick<Rooms, 'ledger' | 'noTrials' | 'repeats'>): InForce {
  const { fixes, active, frozen } = ledger.state;
  // A text that somebody wrote into the ledger is nothing to hand to an agent.
  if (ledger.broken !== undefined) return { ...NOTHING_IN_FORCE, fixes };
  const rules = [...active.values()]
    .filter(isRule)
    .filter(({ status }) => drawsArms(status) || isInForce(status))
    // Checked when it was proposed, and again here: a stored text can be changed by others.
    .filter(({ change }) => checkRule(change.text) === undefined)
    .sort((a, b) => a.changedMs - b.changedMs || (a.id < b.id ? -1 : 1));
  if (frozen || noTrials) return { ...NOTHING_IN_FORCE, fixes, rules };
  const drawn = [...active.values()].filter(({ status, trial }) => trial && drawsArms(status));
  const trialsOf = (some: readonly Fix[]) => some.flatMap(({ trial }) => trial ?? []);
  const trialsWithoutRepeats = {
    unknown: trialsOf(drawn.filter(({ change }) => !repeats.repeats(change))),
    never: trialsOf(drawn.filter(({ change }) => !repeats.repeats(change, false))),
  };
  return { trials: trialsOf(drawn), trialsWithoutRepeats, fixes, rules };
}

/** On trial, or confirmed with a hold-back. What a person keeps unproven holds for everybody. */
export function drawsArms(status: FixStatus): boolean {
  return status === 'trial' || status === 'confirmed' || status === 'reopened';
}
