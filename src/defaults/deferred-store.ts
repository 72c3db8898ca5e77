import type { Coordination } from '../contract/coordination.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import type { Journal } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import type { Snapshots } from '../contract/snapshots.js';
import type { Store, StoreProblem } from '../contract/store.js';
import { Listeners } from '../lib/listeners.js';
import { messageOf } from '../lib/text.js';

/** Store with every optional part of the contract. */
export type OpenedStore = Required<Omit<Store, 'away'>> & Pick<Store, 'away'>;

/** Store that is still being opened. Buffers records in memory; all other calls wait for the store itself. */
export class DeferredStore implements Store {
  readonly journal: Journal;
  readonly ledger: LedgerLog;
  readonly snapshots: Snapshots;
  readonly coordination: Coordination;
  readonly #opening: Promise<OpenedStore>;
  #opened: OpenedStore | undefined;
  readonly #problems = new Listeners<StoreProblem>();

  /** `open` must return a store that writes under the given name. */
  constructor(writer: string, open: (writer: string) => Promise<OpenedStore>) {
    const opening = open(writer);
    this.#opening = opening;
    // If the store cannot be opened, each call below rejects.
    opening
      .then((store) => {
        this.#opened = store;
        store.onProblem((problem) => this.#problems.notify(problem));
      })
      .catch(() => {});
    this.journal = deferredJournal(writer, opening);
    this.ledger = {
      head: async () => (await opening).ledger.head(),
      append: async (entries, after) => (await opening).ledger.append(entries, after),
      read: (from, upTo) => deferredRead(async () => (await opening).ledger.read(from, upTo)),
      onAppended: (listener) => void opening.then(({ ledger }) => ledger.onAppended?.(listener)).catch(() => {}),
    };
    this.snapshots = {
      load: async (name) => (await opening).snapshots.load(name),
      save: async (name, value, after) => (await opening).snapshots.save(name, value, after),
    };
    this.coordination = {
      lease: async (name) => (await opening).coordination.lease(name),
      writers: async () => (await opening).coordination.writers(),
    };
  }

  /** The store itself, once it is open. */
  get opened(): OpenedStore | undefined {
    return this.#opened;
  }

  get away(): string | undefined {
    return this.#opened?.away;
  }

  async erase(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt> {
    return (await this.#opening).erase(filter, options);
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  async close(): Promise<void> {
    await this.#opening.then(
      (store) => store.close(),
      // There is nothing to close, and no place for the records.
      (cause) => {
        const count = this.journal.queued;
        const message = `${count} records were not kept: ${messageOf(cause)}`;
        if (count > 0) this.#problems.notify({ kind: 'dropped', message, count });
      },
    );
  }
}

function deferredJournal(writer: string, opening: Promise<Store>): Journal {
  let journal: Journal | undefined;
  let waiting: JournalRecord[] = [];
  opening
    .then((store) => {
      journal = store.journal;
      journal.append(waiting);
      waiting = [];
    })
    .catch(() => {});
  return {
    writer,
    get queued() {
      return journal?.queued ?? waiting.length;
    },
    append: (records) => {
      if (journal) journal.append(records);
      else waiting.push(...records);
    },
    read: (after, upTo) => deferredRead(async () => (await opening).journal.read(after, upTo)),
    flush: async () => (await opening).journal.flush(),
  };
}

function deferredRead<Item>(open: () => Promise<AsyncIterable<Item>>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      let items: AsyncIterator<Item> | undefined;
      return {
        // Passed on directly: a generator in between would add a wait per record.
        next: () => {
          if (items) return items.next();
          return open().then((opened) => {
            items = opened[Symbol.asyncIterator]();
            return items.next();
          });
        },
        return: async () => (await items?.return?.()) ?? { value: undefined, done: true },
      };
    },
  };
}
