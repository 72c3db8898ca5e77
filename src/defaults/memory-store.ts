import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type {
  AppendResult,
  Cursor,
  EraseFilter,
  EraseOptions,
  EraseReceipt,
  Lease,
  LedgerHead,
  LogName,
  Logs,
  Saved,
  Snapshot,
  Store,
  Stored,
  StoreProblem,
  WriterState,
} from '../contract/store.js';
import { hashHex } from '../lib/hash.js';
import { jsonSlices } from '../lib/json-pieces.js';
import { Listeners } from '../lib/listeners.js';
import { SystemClock } from '../lib/system-clock.js';

export interface MemoryStoreOptions {
  /** Maximum number of journal records; the oldest are dropped. Default 100,000. */
  readonly maxRecords?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** Keeps everything in the memory of this process: fast, bounded, lost when it ends. */
export class MemoryStore implements Store {
  readonly writer: string = 'memory';
  get queued(): number {
    return 0;
  }
  readonly #clock: Clock;
  readonly #maxRecords: number;
  /** Ring buffer once full: the record at position p is at `p % maxRecords`. Holes are erased records. */
  readonly #journal: (JournalRecord | undefined)[] = [];
  #written = 0;
  readonly #ledger: LedgerEntry[] = [];
  #head: LedgerHead = { length: 0, hash: '' };
  readonly #states = new Map<string, { readonly version: number; readonly slices: readonly string[] }>();
  readonly #leases = new Map<string, { fence: number; held: boolean }>();
  readonly #problems = new Listeners<StoreProblem>();
  #closed = false;

  constructor(options: MemoryStoreOptions = {}) {
    const maxRecords = options.maxRecords ?? 100_000;
    if (!Number.isInteger(maxRecords) || maxRecords < 1) {
      throw new LoopError('invalid-input', `maxRecords is ${maxRecords}: give a whole number of at least 1`);
    }
    this.#maxRecords = maxRecords;
    this.#clock = options.clock ?? new SystemClock();
  }

  write(records: readonly JournalRecord[]): void {
    if (this.#closed) {
      const message = `${records.length} records came after close()`;
      this.#problems.tell({ kind: 'dropped', message, count: records.length });
      return;
    }
    for (const record of records) {
      this.#journal[this.#written % this.#maxRecords] = record;
      this.#written++;
    }
  }

  read<Name extends LogName>(log: Name, after: Cursor = {}, upTo?: Cursor): AsyncIterableIterator<Stored<Logs[Name]>> {
    const writer = log === 'ledger' ? 'ledger' : this.writer;
    const from = after[writer] ?? 0;
    const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[writer] ?? 0);
    const all = log === 'ledger' ? this.#readLedger(from, end) : this.#readJournal(from, end);
    // The log name determines the record type, which the compiler cannot infer through the branch.
    const records = all as Generator<Stored<Logs[Name]>>;
    // An async generator would allocate several times a record's size.
    return {
      next: () => Promise.resolve(records.next()),
      return: () => Promise.resolve(records.return(undefined)),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  *#readLedger(from: number, end: number): Generator<Stored<LedgerEntry>> {
    for (let position = from; position < Math.min(end, this.#ledger.length); position++) {
      const record = this.#ledger[position];
      if (record !== undefined) yield { writer: 'ledger', position, record };
    }
  }

  *#readJournal(from: number, upTo: number): Generator<Stored<JournalRecord>> {
    const end = Math.min(upTo, this.#written);
    for (let position = from; position < end; position++) {
      // Checked at each step, because new records may have overwritten old ones while the reader was busy.
      position = Math.max(position, this.#written - this.#maxRecords);
      if (position >= end) return;
      const record = this.#journal[position % this.#maxRecords];
      if (record !== undefined) yield { writer: this.writer, position, record };
    }
  }

  async head(): Promise<LedgerHead> {
    return this.#head;
  }

  async decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.#mustBeOpen();
    if (after.length !== this.#head.length || after.hash !== this.#head.hash) {
      return { kind: 'conflict', head: this.#head };
    }
    for (const entry of entries) {
      this.#ledger.push(entry);
      this.#head = { length: this.#ledger.length, hash: hashHex(this.#head.hash + JSON.stringify(entry)) };
    }
    return { kind: 'ok', head: this.#head };
  }

  async load(name: string): Promise<Saved | undefined> {
    const state = this.#states.get(name);
    return state && { version: state.version, value: JSON.parse(state.slices.join('')) };
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    this.#mustBeOpen();
    const isTaken = () => (this.#states.get(name)?.version ?? 0) !== after;
    if (isTaken()) return false;
    // Stored as text, so that later changes to the caller's object have no effect.
    const slices: string[] = [];
    for await (const slice of jsonSlices(value, this.#clock)) slices.push(slice);
    if (isTaken()) return false;
    this.#states.set(name, { version: after + 1, slices });
    return true;
  }

  async lease(name: string): Promise<Lease | undefined> {
    this.#mustBeOpen();
    const last = this.#leases.get(name);
    if (last?.held) return undefined;
    const own = { fence: (last?.fence ?? 0) + 1, held: true };
    this.#leases.set(name, own);
    return {
      fence: own.fence,
      held: async () => own.held,
      release: async () => {
        own.held = false;
      },
    };
  }

  async writers(): Promise<readonly WriterState[]> {
    return [{ writer: this.writer, alive: !this.#closed, watermarkMs: this.#clock.now() }];
  }

  async erase(filter: EraseFilter, { by = 'host', dryRun = false }: EraseOptions = {}): Promise<EraseReceipt> {
    // Rarely used, so loaded on demand.
    const { eraseMatcher, quotedWords, withoutWords, wordsOf } = await import('../lib/erase-filter.js');
    const { erasedKey } = await import('../lib/erased-ids.js');
    const matches = eraseMatcher(filter);
    const quoted = new Set<string>();
    for (const entry of this.#ledger) quotedWords(entry, quoted);
    const words = new Set<string>();
    const others = new Set<string>();
    let records = 0;
    const ids: string[] = [];
    for (const [index, record] of this.#journal.entries()) {
      if (record === undefined) continue;
      const isErased = matches(record);
      for (const word of wordsOf(record)) if (quoted.has(word)) (isErased ? words : others).add(word);
      if (!isErased) continue;
      records++;
      if (record.kind === 'outcome') ids.push(erasedKey(record.outcome.id));
      if (!dryRun) this.#journal[index] = undefined;
    }
    for (const word of others) words.delete(word);
    const texts = Object.values(filter).filter((text) => text !== undefined);
    const changed: { position: number; hash: string }[] = [];
    for (const [position, entry] of this.#ledger.entries()) {
      const left = withoutWords(entry, words, texts);
      if (left === entry) continue;
      changed.push({ position, hash: hashHex(JSON.stringify(left)) });
      if (!dryRun) this.#ledger[position] = left;
    }
    const receipt = { records, decisions: changed.length, files: this.#states.size };
    if (dryRun) return receipt;
    this.#states.clear();
    const fields = Object.keys(filter).sort();
    await this.decide([{ kind: 'erased', atMs: this.#clock.now(), by, fields, records, ids, changed }], this.#head);
    return receipt;
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed = true;
    for (const lease of this.#leases.values()) lease.held = false;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new LoopError('closed', 'the store is closed');
  }
}
