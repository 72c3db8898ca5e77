import { isInForce } from './ledger/legal-steps.js';
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
  readonly fixes: ReadonlyMap<FixId, Fix>;
  /** Rules that some session or every one is given, in the order in which they came into force. */
  readonly rules: readonly RuleFix[];
}

export const NOTHING_IN_FORCE: InForce = { trials: [], fixes: new Map(), rules: [] };

export function inForce({ ledger, noTrials }: Pick<Rooms, 'ledger' | 'noTrials'>): InForce {
  const { fixes, frozen } = ledger.state;
  const rules = [...fixes.values()]
    .filter(isRule)
    .filter(({ status }) => drawsArms(status) || isInForce(status))
    .sort((a, b) => a.changedMs - b.changedMs || (a.id < b.id ? -1 : 1));
  if (frozen || noTrials) return { trials: [], fixes, rules };
  const trials = [...fixes.values()].flatMap(({ status, trial }) => (trial && drawsArms(status) ? [trial] : []));
  return { trials, fixes, rules };
}

/** On trial, or confirmed with a hold-back. What a person keeps unproven holds for everybody. */
export function drawsArms(status: FixStatus): boolean {
  return status === 'trial' || status === 'confirmed' || status === 'reopened';
}
