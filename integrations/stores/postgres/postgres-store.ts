import { type EraseFilter, type Store, SystemClock } from 'rsi-loop';
import type { StoreCheck } from 'rsi-loop/node';
import type { EraseReceipt, StoreProblem } from 'rsi-loop/testing';
import { checkDatabase } from './check-database.js';
import { Database } from './database.js';
import { eraseRecords } from './erase-records.js';
import { LedgerChanges } from './ledger-changes.js';
import { PostgresCoordination } from './postgres-coordination.js';
import { PostgresJournal } from './postgres-journal.js';
import { PostgresLedger } from './postgres-ledger.js';
import { atLeast, type PostgresStoreOptions } from './postgres-options.js';
import { PostgresSnapshots } from './postgres-snapshots.js';
import { RecordWriter } from './record-writer.js';
import { writerName } from './writer-name.js';
import { WriterTable } from './writer-table.js';

/** Maximum time to say goodbye to a server that does not answer, in milliseconds. */
const LEAVE_LIMIT_MS = 5_000;

/**
 * Store in a PostgreSQL database that any number of processes on any number of machines may share. Connects on first
 * use, and creates its schema if there is none. While the server is away, records wait in memory.
 */
export class PostgresStore implements Store {
  readonly journal: PostgresJournal;
  readonly ledger: PostgresLedger;
  readonly snapshots: PostgresSnapshots;
  readonly coordination: PostgresCoordination;
  readonly #database: Database;
  readonly #writers: WriterTable;
  readonly #own: RecordWriter;
  readonly #changes: LedgerChanges;
  readonly #clock;
  readonly #problems = new Set<(problem: StoreProblem) => void>();
  #closing: Promise<void> | undefined;

  constructor(options: PostgresStoreOptions) {
    const { clock = new SystemClock() } = options;
    const report = (problem: StoreProblem) => this.#tell(problem);
    const database = new Database(options, report);
    this.#clock = clock;
    this.#database = database;
    const writers = new WriterTable(database, {
      writer: options.writer ?? writerName(clock.now()),
      clock,
      ...(options.retainDays !== undefined && { retainDays: Math.ceil(atLeast('retainDays', options.retainDays, 1)) }),
      report,
    });
    const own = new RecordWriter(database, writers, {
      clock,
      flushMs: atLeast('flushMs', options.flushMs ?? 50, 0),
      maxQueued: atLeast('maxQueued', options.maxQueued ?? 100_000, 1),
      report,
    });
    writers.watch({ watermarkMs: () => own.watermarkMs(), stored: () => own.stored });
    this.#writers = writers;
    this.#own = own;
    this.#changes = new LedgerChanges(database, clock);
    const pause = (delayMs: number) => new Promise<void>((resolve) => void clock.after(delayMs, resolve));
    this.journal = new PostgresJournal(database, { writers, own, report });
    this.ledger = new PostgresLedger(database, { changes: this.#changes, report, pause });
    this.snapshots = new PostgresSnapshots(database, clock, report);
    this.coordination = new PostgresCoordination(database, { writers, own });
  }

  /** Name for people, without user and password. */
  get name(): string {
    const { server, schema } = this.#database.place;
    return `PostgreSQL at ${server}, schema ${schema}`;
  }

  /**
   * Checks the database, as `rsi doctor` does. Changes nothing.
   * @throws LoopError `store-failed` with the setting to change if the server or the schema cannot be used.
   */
  check(): Promise<readonly StoreCheck[]> {
    return checkDatabase({ store: this, database: this.#database });
  }

  get away(): string | undefined {
    return this.#database.away;
  }

  async erase(
    filter: EraseFilter,
    options: { readonly by?: string; readonly dryRun?: boolean } = {},
  ): Promise<EraseReceipt> {
    const { journal, ledger, coordination } = this;
    const parts = {
      database: this.#database,
      journal,
      ledger,
      coordination,
      changes: this.#changes,
      clock: this.#clock,
    };
    return eraseRecords(parts, filter, options);
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#changes.close();
    await this.#own.close();
    await this.#leave();
    await this.#database.close();
  }

  /** Ends the registration. If the server does not answer, the others notice by the missing heartbeat. */
  #leave(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(LEAVE_LIMIT_MS, resolve);
      const end = () => {
        cancel();
        resolve();
      };
      this.#writers.leave().then(end, end);
    });
  }

  #tell(problem: StoreProblem): void {
    for (const listener of this.#problems) {
      try {
        listener(problem);
      } catch {
        // A listener of the host must not break the store.
      }
    }
  }
}
