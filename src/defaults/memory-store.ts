import type { Clock } from '../contract/clock.js';
import type { Coordination, Lease, WriterState } from '../contract/coordination.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { Saved, Snapshot, Snapshots } from '../contract/snapshots.js';
import type { Store, StoreProblem } from '../contract/store.js';
import { jsonSlices } from '../lib/json-pieces.js';
import { Listeners } from '../lib/listeners.js';
import { SystemClock } from '../lib/system-clock.js';
import { MemoryJournal } from './memory-journal.js';
import { MemoryLedger } from './memory-ledger.js';

/** Options of `MemoryStore`. */
export interface MemoryStoreOptions {
  /** Maximum number of journal records; the oldest are dropped. Default 100,000. */
  readonly maxRecords?: number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** Keeps everything in the memory of this process: fast, bounded, lost when it ends. */
export class MemoryStore implements Store {
  readonly journal: MemoryJournal;
  readonly ledger: MemoryLedger;
  readonly snapshots: Snapshots;
  readonly coordination: Coordination;
  readonly #clock: Clock;
  readonly #states = new Map<string, { readonly version: number; readonly slices: readonly string[] }>();
  readonly #leases = new Map<string, { fence: number; held: boolean }>();
  readonly #problems = new Listeners<StoreProblem>();
  #closed = false;

  constructor({ maxRecords = 100_000, clock = new SystemClock() }: MemoryStoreOptions = {}) {
    this.#clock = clock;
    this.journal = new MemoryJournal(maxRecords, (problem) => this.#problems.notify(problem));
    this.ledger = new MemoryLedger(() => this.#mustBeOpen());
    this.snapshots = {
      load: (name) => this.#load(name),
      save: (name, value, after) => this.#save(name, value, after),
    };
    this.coordination = { lease: (name) => this.#lease(name), writers: async () => [this.#writer()] };
  }

  async #load(name: string): Promise<Saved | undefined> {
    const state = this.#states.get(name);
    return state && { version: state.version, value: JSON.parse(state.slices.join('')) };
  }

  async #save(name: string, value: Snapshot, after: number): Promise<boolean> {
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

  async #lease(name: string): Promise<Lease | undefined> {
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

  #writer(): WriterState {
    return { writer: this.journal.writer, alive: !this.#closed, watermarkMs: this.#clock.now() };
  }

  async erase(filter: EraseFilter, { by = 'host', dryRun = false }: EraseOptions = {}): Promise<EraseReceipt> {
    const { planErasure } = await import('./memory-erasure.js'); // rarely used, so loaded on demand
    const { matches, clean, records, ids, changed } = await planErasure(this.journal, this.ledger, filter);
    const receipt = { records, decisions: changed.length, files: this.#states.size };
    if (dryRun) return receipt;
    this.journal.remove(matches);
    this.ledger.rewrite(clean);
    this.#states.clear();
    const fields = Object.keys(filter).sort();
    const entry = { kind: 'erased', atMs: this.#clock.now(), by, fields, records, ids, changed } as const;
    await this.ledger.append([entry], await this.ledger.head());
    return receipt;
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.journal.close();
    for (const lease of this.#leases.values()) lease.held = false;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new LoopError('closed', 'the store is closed');
  }
}
