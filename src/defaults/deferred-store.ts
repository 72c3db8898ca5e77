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
import { Listeners } from '../lib/listeners.js';

/** Store that is still being opened. Buffers records in memory; all other calls wait for the store itself. */
export class DeferredStore implements Store {
  readonly writer: string;
  readonly #opening: Promise<Store>;
  readonly #problems = new Listeners<StoreProblem>();
  #store: Store | undefined;
  #waiting: JournalRecord[] = [];

  /** `open` must return a store that writes under the given name. */
  constructor(writer: string, open: (writer: string) => Promise<Store>) {
    this.writer = writer;
    this.#opening = open(writer).then((store) => {
      store.onProblem((problem) => this.#problems.tell(problem));
      store.write(this.#waiting);
      this.#waiting = [];
      this.#store = store;
      return store;
    });
    this.#opening.catch(() => {}); // each call below rejects with it
  }

  write(records: readonly JournalRecord[]): void {
    if (this.#store) this.#store.write(records);
    else this.#waiting.push(...records);
  }

  get queued(): number {
    return this.#store?.queued ?? this.#waiting.length;
  }

  read<Name extends LogName>(log: Name, after?: Cursor, upTo?: Cursor): AsyncIterable<Stored<Logs[Name]>> {
    const open = async () => (await this.#opening).read(log, after, upTo)[Symbol.asyncIterator]();
    return {
      [Symbol.asyncIterator]: () => {
        let records: AsyncIterator<Stored<Logs[Name]>> | undefined;
        return {
          // Passed on directly: a generator in between would add a wait per record.
          next: () => {
            if (records) return records.next();
            return open().then((opened) => {
              records = opened;
              return opened.next();
            });
          },
          return: async () => (await records?.return?.()) ?? { value: undefined, done: true },
        };
      },
    };
  }

  async head(): Promise<LedgerHead> {
    return (await this.#opening).head();
  }

  async decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    return (await this.#opening).decide(entries, after);
  }

  async load(name: string): Promise<Saved | undefined> {
    return (await this.#opening).load(name);
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    return (await this.#opening).save(name, value, after);
  }

  async lease(name: string): Promise<Lease | undefined> {
    return (await this.#opening).lease(name);
  }

  async writers(): Promise<readonly WriterState[]> {
    return (await this.#opening).writers();
  }

  async erase(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt> {
    return (await this.#opening).erase(filter, options);
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  async flush(): Promise<void> {
    await (await this.#opening).flush();
  }

  async close(): Promise<void> {
    await this.#opening.then(
      (store) => store.close(),
      () => {}, // there is nothing to close
    );
  }
}
