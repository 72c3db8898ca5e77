import type { RuleChange } from '../../contract/change.js';
import type { SettleFacts } from '../../contract/change-kind.js';
import type { FixOf } from '../../contract/fix.js';
import type { LedgerEntry } from '../../contract/ledger-entry.js';
import type { RuleFiles } from '../rule-files.js';
import type { WrittenRule } from './rule-line.js';

/**
 * Writes a rule in force into its file, or removes one that was rolled back, and returns the entries for that. Rolls
 * back a rule that a person removed from its file. A conflicting edit returns no entries, so the next cycle tries again.
 */
export async function settleRule(
  fix: FixOf<RuleChange>,
  { atMs, isInForce, mayWrite, inForce }: SettleFacts,
  files: RuleFiles,
  ruleValue: (rule: WrittenRule) => number,
): Promise<readonly LedgerEntry[]> {
  const { id: fixId, written } = fix;
  const removed = (path: string): LedgerEntry => ({ kind: 'change-removed', atMs, by: 'auto', fixId, path });
  if (!isInForce && written) {
    // A process without the file leaves this to one that has it.
    const result = await files.remove(fix);
    return result.kind === 'done' ? [removed(written.path)] : [];
  }
  if (isInForce && written && files.isGone(fix) === true) {
    const reason = `a person removed it from ${written.path}`;
    return [{ kind: 'fix-moved', atMs, by: 'workspace', fixId, to: 'rolled-back', reason }, removed(written.path)];
  }
  if (!isInForce || written || !mayWrite) return [];
  const result = await files.write(fix, atMs, ruleValue);
  if (result.kind !== 'done') return [];
  const { path, retired } = result;
  const gone = retired.flatMap((id): LedgerEntry[] => {
    if (!inForce(id)?.written) return [];
    const reason = `made space in ${path} for ${fixId}: its section was full`;
    return [
      { kind: 'fix-moved', atMs, by: 'auto', fixId: id, to: 'rolled-back', reason },
      { kind: 'change-removed', atMs, by: 'auto', fixId: id, path },
    ];
  });
  return [{ kind: 'change-written', atMs, by: 'auto', fixId, path }, ...gone];
}
