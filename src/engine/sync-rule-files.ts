import type { LedgerEntry } from '../contract/ledger-entry.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { RuleFix } from './active-fixes.js';
import { isRule } from './active-fixes.js';
import type { Components } from './components.js';
import { ruleValueIn } from './rule-value.js';

type SyncContext = Pick<Components, 'ledger' | 'ruleFiles' | 'noTrials' | 'verifier' | 'clock'>;

/**
 * Synchronises the agent's files with the ledger. Writes rules in force, removes those rolled back, and rolls back
 * rules that a person removed from their file. Retries conflicting edits in the next cycle.
 */
export async function syncRuleFiles(components: SyncContext, atMs: number): Promise<void> {
  for (const fix of [...components.ledger.state.active.values()].filter(isRule)) {
    const entries = await stepFor(fix, components, atMs);
    if (entries.length > 0) await components.ledger.appendLegal(() => entries);
  }
}

async function stepFor(fix: RuleFix, components: SyncContext, atMs: number): Promise<readonly LedgerEntry[]> {
  const { ledger, ruleFiles, noTrials } = components;
  const { id: fixId, written } = fix;
  const stays = isInForce(fix.status);
  const removed = (path: string): LedgerEntry => ({ kind: 'rule-removed', atMs, by: 'auto', fixId, path });
  if (!stays && written) {
    // A process without the file leaves this to one that has it.
    const result = await ruleFiles.remove(fix);
    return result.kind === 'done' ? [removed(written.path)] : [];
  }
  if (stays && written && ruleFiles.isGone(fix) === true) {
    const reason = `a person removed it from ${written.path}`;
    return [{ kind: 'fix-moved', atMs, by: 'workspace', fixId, to: 'rolled-back', reason }, removed(written.path)];
  }
  // Rules in force stay in force while the loop is frozen, but no new ones are written.
  if (!stays || written || ledger.state.frozen || noTrials) return [];
  const result = await ruleFiles.write(fix, atMs, ruleValueIn(components));
  if (result.kind !== 'done') return [];
  const { path, retired } = result;
  const gone = retired.flatMap((id): LedgerEntry[] => {
    const other = ledger.state.fixes.get(id);
    if (!other?.written || !isInForce(other.status)) return [];
    const reason = `made space in ${path} for ${fixId}: its section was full`;
    return [
      { kind: 'fix-moved', atMs, by: 'auto', fixId: id, to: 'rolled-back', reason },
      { kind: 'rule-removed', atMs, by: 'auto', fixId: id, path },
    ];
  });
  return [{ kind: 'rule-written', atMs, by: 'auto', fixId, path }, ...gone];
}
