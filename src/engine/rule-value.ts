import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { RuleCounters } from '../contract/trial.js';
import type { WrittenRule } from '../fix/rules/rule-line.js';
import { ruleCounters, worthOf } from '../fix/rules/usefulness.js';
import type { Components } from './components.js';

type RuleValueContext = Pick<Components, 'ledger' | 'verifier' | 'clock'>;

/**
 * Returns a rule's effect, decayed to now. Returns undefined if it was never compared with sessions without it.
 * Also returns undefined if it was rolled back after its confirmation, because its verdict covers only the time before.
 */
export function countersOf(fix: Fix, { verifier, clock }: RuleValueContext): RuleCounters | undefined {
  if (fix.status === 'rolled-back' && fix.verdict?.kind === 'confirmed') return undefined;
  return ruleCounters(fix, verifier.figures(fix.id), clock.now());
}

/** Returns a function that ranks rules by value, for a file that is full. */
export function ruleValueIn(components: RuleValueContext): (rule: WrittenRule) => number {
  return ({ id }) => {
    const fix = components.ledger.state.fixes.get(id as FixId); // an unknown id finds nothing
    return worthOf(fix && countersOf(fix, components));
  };
}
