import type { Fix } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { messageOf } from '../lib/text.js';
import type { CycleContext } from './cycle-context.js';

/** Collects entries fix by fix. If `entriesOf` throws for a fix, reports the error and skips that fix. */
export function eachFix(
  fixes: Iterable<Fix>,
  { report }: Pick<CycleContext, 'report'>,
  entriesOf: (fix: Fix) => readonly LedgerEntry[],
): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const fix of fixes) {
    try {
      entries.push(...entriesOf(fix));
    } catch (error) {
      report({ where: 'cycle', message: `fix ${fix.id} was left as it is: ${messageOf(error)}` });
    }
  }
  return entries;
}
