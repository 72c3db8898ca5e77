import type { Clock } from '../contract/clock.js';
import type { FixId } from '../contract/ids.js';
import type { RuleCounters } from '../contract/trial.js';
import { ruleCounters } from '../fix/rules/usefulness.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Verifier } from '../verify/verifier.js';

export interface CountersContext {
  readonly ledger: Pick<Ledger, 'state'>;
  readonly verifier: Pick<Verifier, 'figures'>;
  readonly clock: Clock;
}

/**
 * Returns a rule's effect, decayed to now. Returns undefined if it was never compared with sessions without it.
 * Also returns undefined if it was rolled back after its confirmation, because its verdict covers only the time before.
 */
export function countersOf(id: FixId, { ledger, verifier, clock }: CountersContext): RuleCounters | undefined {
  const fix = ledger.state.fixes.get(id);
  if (!fix || (fix.status === 'rolled-back' && fix.verdict?.kind === 'confirmed')) return undefined;
  return ruleCounters(fix, verifier.figures(id), clock.now());
}
