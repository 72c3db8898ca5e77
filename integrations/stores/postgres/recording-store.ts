import { type JournalRecord, LoopError, MemoryStore, type Store, SystemClock } from 'rsi-loop';
import type { Journal, StoreProblem } from 'rsi-loop/testing';
import { Database } from './database.js';
import { atLeast, type PostgresStoreOptions } from './postgres-options.js';
import { RecordWriter } from './record-writer.js';
import { writerName } from './writer-name.js';
import { WriterTable } from './writer-table.js';

/**
 * Returns a store that adds outcomes to a schema and reads nothing, for a login in `<schema>_recorder`. Other processes
 * decide: a loop with this store runs no cycle, begins no trial and gives no advice.
 */
export function recordingStore(options: PostgresStoreOptions): Store {
  const { clock = new SystemClock(), flushMs = 50, maxQueued = 100_000 } = options;
  const listeners = new Set<(problem: StoreProblem) => void>();
  const report = (problem: StoreProblem) => {
    for (const listener of listeners) listener(problem);
  };
  const database = new Database(options, report);
  const writer = options.writer ?? writerName(clock.now());
  const writers = new WriterTable(database, { writer, clock, recordsOnly: true, report });
  const own = new RecordWriter(database, writers, {
    clock,
    flushMs: atLeast('flushMs', flushMs, 0),
    maxQueued: atLeast('maxQueued', maxQueued, 1),
    report,
  });
  writers.watch({ watermarkMs: () => own.watermarkMs(), stored: () => own.stored });
  const { ledger, snapshots } = new MemoryStore({ clock });
  const { schema } = database.place;
  return {
    journal: journalOf(writer, own, report),
    // The ledger stays empty, because nothing here leads.
    ledger: {
      head: async () => {
        await database.prepare();
        return ledger.head();
      },
      append: async () => {
        throw new LoopError('store-failed', `this process only records in schema ${schema}: decide in another one`);
      },
      read: () => ledger.read(),
    },
    snapshots,
    coordination: { lease: async () => undefined, writers: async () => [] },
    get away() {
      return database.away;
    },
    onProblem: (listener) => void listeners.add(listener),
    close: async () => {
      await own.close();
      await database.close();
    },
  };
}

function journalOf(writer: string, own: RecordWriter, report: (problem: StoreProblem) => void): Journal {
  return {
    writer,
    get queued() {
      return own.queued;
    },
    append: (records: readonly JournalRecord[]) => {
      if (!own.isClosed) for (const record of records) own.add(record);
      else report({ kind: 'dropped', message: `${records.length} records came after close()`, count: records.length });
    },
    read: async function* () {},
    flush: () => own.flush(),
  };
}
