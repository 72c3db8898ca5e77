import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { AppendResult, LedgerHead, LedgerLog, StoredEntry } from '../contract/ledger-log.js';
import { hashHex } from '../lib/hash.js';

/** Keeps decisions in memory. */
export class MemoryLedger implements LedgerLog {
  readonly #mustBeOpen: () => void;
  readonly #entries: LedgerEntry[] = [];
  #head: LedgerHead = { length: 0, hash: '' };

  constructor(mustBeOpen: () => void) {
    this.#mustBeOpen = mustBeOpen;
  }

  async head(): Promise<LedgerHead> {
    return this.#head;
  }

  async append(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.#mustBeOpen();
    if (after.length !== this.#head.length || after.hash !== this.#head.hash) {
      return { kind: 'conflict', head: this.#head };
    }
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#head = { length: this.#entries.length, hash: hashHex(this.#head.hash + JSON.stringify(entry)) };
    }
    return { kind: 'ok', head: this.#head };
  }

  async *read(from = 0, upTo = Number.POSITIVE_INFINITY): AsyncGenerator<StoredEntry> {
    for (let position = from; position < Math.min(upTo, this.#entries.length); position++) {
      const entry = this.#entries[position];
      if (entry !== undefined) yield { position, entry };
    }
  }

  /** Replaces entries in place. The hashes of later entries stay as they are. */
  rewrite(change: (entry: LedgerEntry) => LedgerEntry): void {
    for (const [position, entry] of this.#entries.entries()) this.#entries[position] = change(entry);
  }
}
