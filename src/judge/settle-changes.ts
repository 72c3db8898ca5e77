import { isInForce } from '../ledger/legal-steps.js';
import type { Components } from './components.js';

type SettleContext = Pick<Components, 'ledger' | 'kinds' | 'noTrials'>;

/**
 * Synchronises what is written outside the loop, such as rules in an agent's files, with the ledger: writes changes in
 * force, and removes those that were rolled back.
 */
export async function settleChanges({ ledger, kinds, noTrials }: SettleContext, atMs: number): Promise<void> {
  for (const fix of ledger.state.active.values()) {
    const entries = await kinds.of(fix.change).settle?.(fix, {
      atMs,
      isInForce: isInForce(fix.status),
      mayWrite: !ledger.state.frozen && !noTrials,
      inForce: (id) => {
        const other = ledger.state.fixes.get(id);
        return other && isInForce(other.status) ? other : undefined;
      },
    });
    if (entries && entries.length > 0) await ledger.appendLegal(() => entries);
  }
}
