import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead } from '../contract/store.js';

/** One entry as it stands in a file. */
export interface LedgerLine {
  readonly position: number;
  /** Hash of the entry before, as it stands in this one. */
  readonly previous: string;
  readonly hash: string;
  /** Hash of the line as it is now; there where an erasure replaced words in it. */
  readonly changedTo?: string;
  /** The line itself, without its break. */
  readonly text: string;
  readonly entry: LedgerEntry;
}

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

/** Checks that every entry follows from the one before it, one entry at a time and in the order of the ledger. */
export class LedgerChain {
  readonly faults: LedgerFault[] = [];
  #head: LedgerHead = { length: 0, hash: '' };
  /** Entries that an erasure changed, as long as no entry for that erasure was read. */
  readonly #changed = new Map<number, string>();

  /** End of what was read so far. */
  get head(): LedgerHead {
    return this.#head;
  }

  take({ position, previous, hash, entry, changedTo }: LedgerLine): void {
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

  /** Changed entries that no erasure accounts for, as far as was read. */
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

/** Compares the end of a ledger with the head that is kept apart; `hashAt` returns the hash of the ledger at a length. */
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
