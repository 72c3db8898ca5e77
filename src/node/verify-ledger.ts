import { join, resolve } from 'node:path';
import type { LedgerHead } from '../ports.js';
import type { LedgerEntry } from '../records.js';
import { type FileSystem, machineFileSystem } from './file-system.js';
import { LedgerFiles } from './ledger-files.js';
import { NumberedFiles } from './numbered-files.js';

export interface LedgerFault {
  readonly kind: /** A line fails its checksum. */
    | 'damaged'
    /** Entries are missing before this one. */
    | 'missing'
    /** An entry does not hold the hash of the one before it: edited, inserted or swapped. */
    | 'broken-chain'
    /** A position that was there already. */
    | 'repeated'
    /** The kept head says there were more entries, or another one at its place. */
    | 'truncated'
    | 'replaced'
    /** Entries after the kept head: a decision that was not finished, or added by somebody else. */
    | 'beyond-head'
    /** There are entries and no head that could be compared. */
    | 'no-head';
  /** Of the entry where it shows. */
  readonly position: number;
  readonly message: string;
}

export interface LedgerReport {
  readonly ok: boolean;
  readonly head: LedgerHead;
  readonly faults: readonly LedgerFault[];
}

/**
 * Checks every entry against the one before it and the end against the head that is kept apart. Changes nothing. Whoever
 * can write to the folder can also rewrite all of it: keep a copy of the head elsewhere where that matters.
 */
export async function verifyLedger(
  folder: string,
  fs: FileSystem = machineFileSystem,
  onEntry: (entry: LedgerEntry) => void = () => {},
): Promise<LedgerReport> {
  const root = resolve(folder);
  const faults: LedgerFault[] = [];
  const heads = new NumberedFiles(fs, join(root, 'head'));
  const tell = ({ message }: { readonly message: string }) =>
    faults.push({ kind: 'damaged', position: length, message });
  const ledger = new LedgerFiles(fs, root, { heads, partFiles: 1, tell });
  const hashes = new Map<number, string>();
  let length = 0;
  let hash = '';
  const changed = new Map<number, string>();
  for await (const line of ledger.lines(0, true)) {
    const { position, entry, changedTo } = line;
    onEntry(entry);
    if (changedTo !== undefined) changed.set(position, changedTo);
    // Only an erasure that is itself part of the chain may have changed an entry.
    for (const one of entry.kind === 'erased' ? entry.changed : []) {
      if (changed.get(one.position) === one.hash) changed.delete(one.position);
    }
    if (position < length) {
      faults.push({ kind: 'repeated', position, message: `entry ${position} stands where ${length} is due` });
    } else if (position > length) {
      faults.push({ kind: 'missing', position, message: missing(length, position - 1) });
    } else if (line.previous !== hash) {
      faults.push({ kind: 'broken-chain', position, message: `entry ${position} does not follow from the one before` });
    }
    length = position + 1;
    hash = line.hash;
    hashes.set(length, hash);
  }
  for (const position of changed.keys()) {
    faults.push({ kind: 'broken-chain', position, message: `entry ${position} was changed, and no erasure says so` });
  }
  const kept = await ledger.keptHead();
  if (kept === undefined) {
    if (length > 0)
      faults.push({ kind: 'no-head', position: length, message: 'the head is missing: the end cannot be checked' });
  } else if (kept.length > length) {
    const message = `the head knows ${kept.length} entries, ${length} are there`;
    faults.push({ kind: 'truncated', position: length, message });
  } else if (kept.length > 0 && hashes.get(kept.length) !== kept.hash) {
    const message = `entry ${kept.length - 1} is not the one the head knows`;
    faults.push({ kind: 'replaced', position: kept.length - 1, message });
  } else if (kept.length < length) {
    const message = `${length - kept.length} entries stand after the head: an unfinished decision, or added by hand`;
    faults.push({ kind: 'beyond-head', position: kept.length, message });
  }
  return { ok: faults.length === 0, head: { length, hash }, faults };
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`;
}
