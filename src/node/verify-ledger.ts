import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead } from '../contract/ledger-log.js';
import { FileLedger } from './file-ledger.js';
import { type FileSystem, machineFileSystem } from './file-system.js';
import { compareHeads, LedgerChain, type LedgerFault } from './ledger-chain.js';
import { StoreFolder } from './store-folder.js';

/** Result of the verification of a ledger. */
export interface LedgerReport {
  readonly ok: boolean;
  readonly head: LedgerHead;
  readonly faults: readonly LedgerFault[];
}

/**
 * Checks every entry against the one before it, and the end against the separately stored head. Changes nothing. A
 * program that can write to the folder can also rewrite all of it: to detect that, keep a copy of the head elsewhere.
 */
export async function verifyLedger(
  folder: string,
  fs: FileSystem = machineFileSystem,
  onEntry: (entry: LedgerEntry) => void = () => {},
): Promise<LedgerReport> {
  const store = new StoreFolder(folder, { fs, isInspected: true });
  const chain = new LedgerChain();
  const { faults } = chain;
  store.onProblem(({ message }) => faults.push({ kind: 'damaged', position: chain.head.length, message }));
  const ledger = new FileLedger(store);
  const hashes = new Map<number, string>();
  for await (const line of ledger.lines(0, true)) {
    onEntry(line.entry);
    chain.take(line);
    hashes.set(chain.head.length, line.hash);
  }
  faults.push(...chain.unexplained());
  const { head } = chain;
  const kept = await ledger.keptHead();
  const fault = kept && compareHeads(kept, head.length, (length) => hashes.get(length));
  if (fault) faults.push(fault);
  else if (kept && kept.length < head.length) {
    const message = `${head.length - kept.length} entries stand after the head: an unfinished decision, or added by hand`;
    faults.push({ kind: 'beyond-head', position: kept.length, message });
  } else if (kept === undefined && head.length > 0) {
    faults.push({ kind: 'no-head', position: head.length, message: 'the head is missing: the end cannot be checked' });
  }
  return { ok: faults.length === 0, head, faults };
}
