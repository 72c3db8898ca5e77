import type { LedgerHead } from '../contract/ledger-log.js';
import type { LedgerLine } from './ledger-line.js';

/** Fault in a ledger, with its place. */
export interface LedgerFault {
  readonly kind: /** A line fails its checksum. */
    | 'damaged'
    /** Entries are missing before this one. */
    | 'missing'
    /** An entry does not hold the hash of the one before it: edited, inserted or swapped. */
    | 'broken-chain'
    /** A position that occurred before. */
    | 'repeated'
    /** The stored head counts more entries, or has another hash at its position. */
    | 'truncated'
    | 'replaced'
    /** Entries after the stored head: an unfinished decision, or entries that another program added. */
    | 'beyond-head'
    /** There are entries and no stored head to compare with. */
    | 'no-head';
  /** Position of the entry at which the fault shows. */
  readonly position: number;
  readonly message: string;
}

/** Checks that every entry follows from the one before it, one entry at a time and in ledger order. */
export class LedgerChain {
  readonly faults: LedgerFault[] = [];
  #head: LedgerHead = { length: 0, hash: '' };
  /** Entries that an erasure changed, until the entry for that erasure is read. */
  readonly #changed = new Map<number, string>();

  /** End of the entries read so far. */
  get head(): LedgerHead {
    return this.#head;
  }

  take({ position, previous, hash, entry, changedTo }: Omit<LedgerLine, 'text'>): void {
    if (changedTo !== undefined) this.#changed.set(position, changedTo);
    // Only an erasure that is itself part of the chain may have changed an entry.
    for (const one of entry.kind === 'erased' ? entry.changed : []) {
      if (this.#changed.get(one.position) === one.hash) this.#changed.delete(one.position);
    }
    const { length } = this.#head;
    if (position < length) this.#find('repeated', position, `entry ${position} stands where ${length} is due`);
    else if (position > length) this.#find('missing', position, missing(length, position - 1));
    else if (previous !== this.#head.hash) {
      this.#find('broken-chain', position, `entry ${position} does not follow from the one before`);
    }
    this.#head = { length: position + 1, hash };
  }

  /** Continues after entries that this process wrote itself. */
  goOnAfter(head: LedgerHead): void {
    this.#head = head;
  }

  /** Returns changed entries that no erasure read so far accounts for. */
  unexplained(): readonly LedgerFault[] {
    return [...this.#changed.keys()].map((position) => ({
      kind: 'broken-chain',
      position,
      message: `entry ${position} was changed, and no erasure says so`,
    }));
  }

  #find(kind: LedgerFault['kind'], position: number, message: string): void {
    this.faults.push({ kind, position, message });
  }
}

/** Compares the end of a ledger with the separately stored head. `hashAt` returns the ledger's hash at a length. */
export function compareHeads(
  kept: LedgerHead,
  length: number,
  hashAt: (length: number) => string | undefined,
): LedgerFault | undefined {
  if (kept.length > length) {
    const message = `the head knows ${kept.length} entries, ${length} are there`;
    return { kind: 'truncated', position: length, message };
  }
  if (kept.length === 0 || hashAt(kept.length) === kept.hash) return undefined;
  const message = `entry ${kept.length - 1} is not the one the head knows`;
  return { kind: 'replaced', position: kept.length - 1, message };
}

function missing(first: number, last: number): string {
  return first === last ? `entry ${first} is missing` : `entries ${first} to ${last} are missing`;
}
