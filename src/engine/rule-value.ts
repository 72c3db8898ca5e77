import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { RuleCounters } from '../contract/trial.js';
import type { WrittenRule } from '../fix/rules/rule-line.js';
import { ruleCounters, worthOf } from '../fix/rules/usefulness.js';
import type { Components } from './components.js';

type RuleValueContext = Pick<Components, 'ledger' | 'verifier' | 'clock'>;

/**
 * What a rule did, as it counts now; undefined where it was never compared with sessions without it, and where it was taken
 * back after it had been confirmed: its verdict tells only of before.
 */
export function countersOf(fix: Fix, { verifier, clock }: RuleValueContext): RuleCounters | undefined {
  if (fix.status === 'rolled-back' && fix.verdict?.kind === 'confirmed') return undefined;
  return ruleCounters(fix, verifier.figures(fix.id), clock.now());
}

/** How much each rule is worth keeping in a file that is full. */
export function ruleValueIn(components: RuleValueContext): (rule: WrittenRule) => number {
  return ({ id }) => {
    const fix = components.ledger.state.fixes.get(id as FixId); // an id of nobody's finds nothing
    return worthOf(fix && countersOf(fix, components));
  };
}
