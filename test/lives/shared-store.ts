import type { Clock } from '../../src/contract/clock.js';
import type { Coordination, Lease } from '../../src/contract/coordination.js';
import type { EraseFilter, EraseReceipt } from '../../src/contract/erasure.js';
import type { Cursor, Journal, StoredRecord } from '../../src/contract/journal.js';
import type { AppendResult, LedgerHead, LedgerLog } from '../../src/contract/ledger-log.js';
import type { Snapshots } from '../../src/contract/snapshots.js';
import type { Store } from '../../src/contract/store.js';
import { eraseMatcher } from '../../src/lib/erase-filter.js';
import { hashHex } from '../../src/lib/hash.js';

interface Writer {
  /** Records as text, so that no process can share an object with another one. */
  readonly lines: (string | undefined)[];
  isAlive: boolean;
  watermarkMs: number;
  /** Of its last beat, by a steady clock. */
  beatMs: number;
}

/** A process that does not beat for so long loses its leases. */
const STOPPED_MS = 60_000;

/** The store of one process of a life. */
export interface LifeStore extends Store {
  /** Ends the process without warning. */
  kill(): void;
  /** Shows that the process is alive, and how far its journal can be read. */
  beat(): void;
}

/** Store that the processes of a life share. */
export interface LifeFolder {
  open(writer: string, clock: Clock): LifeStore;
  /** Saved state, as text. */
  saved(name: string): Promise<string | undefined>;
  /** Both logs, the ledger up to so many decisions, without saved state and without a live process. */
  logs(decisions?: number): Promise<SharedFolder>;
  /** Takes the lease from its holder, as if it had been stopped for long. It may be in the middle of a cycle. */
  expireLeases(): void;
  remove(): void;
}

/** State that several processes share, as a folder on a disk: everything in it is text. */
export class SharedFolder implements LifeFolder {
  readonly writers = new Map<string, Writer>();
  readonly ledger: string[] = [];
  head: LedgerHead = { length: 0, hash: '' };
  readonly states = new Map<string, { readonly version: number; readonly text: string }>();
  readonly leases = new Map<string, { readonly fence: number; readonly owner: string }>();

  open(writer: string, clock: Clock): SharedStore {
    return new SharedStore(this, writer, clock);
  }

  async saved(name: string): Promise<string | undefined> {
    return this.states.get(name)?.text;
  }

  /** Writes a record of a process that is not alive. */
  put(writer: string, position: number, line: string): void {
    const known = this.writers.get(writer) ?? { lines: [], isAlive: false, watermarkMs: 0, beatMs: 0 };
    known.lines[position] = line;
    this.writers.set(writer, known);
  }

  async logs(decisions = this.ledger.length): Promise<SharedFolder> {
    const copy = new SharedFolder();
    for (const [writer, { lines, watermarkMs, beatMs }] of this.writers) {
      copy.writers.set(writer, { lines: [...lines], isAlive: false, watermarkMs, beatMs });
    }
    copy.ledger.push(...this.ledger.slice(0, decisions));
    copy.head = { length: copy.ledger.length, hash: `${copy.ledger.length}` };
    return copy;
  }

  expireLeases(): void {
    for (const [name, { fence }] of this.leases) this.leases.set(name, { fence, owner: '' });
  }

  remove(): void {}
}

/** The store of one process over a shared folder. What was not published when its process is killed is lost. */
export class SharedStore implements LifeStore {
  readonly journal: Journal;
  readonly ledger: LedgerLog;
  readonly snapshots: Snapshots;
  readonly coordination: Coordination;
  readonly #folder: SharedFolder;
  readonly #clock: Clock;
  readonly #own: Writer;
  #waiting: string[] = [];

  constructor(folder: SharedFolder, writer: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#own = { lines: [], isAlive: true, watermarkMs: clock.now(), beatMs: clock.monotonic() };
    folder.writers.set(writer, this.#own);
    this.journal = this.#journal(writer);
    this.ledger = ledgerIn(folder);
    this.snapshots = snapshotsIn(folder);
    this.coordination = {
      lease: (name) => this.#lease(name, writer),
      writers: async () => {
        this.beat();
        return [...folder.writers].map(([name, { isAlive, watermarkMs }]) => ({
          writer: name,
          alive: isAlive,
          watermarkMs,
        }));
      },
    };
  }

  /** Ends the process without warning. */
  kill(): void {
    this.#waiting = [];
    this.#own.isAlive = false;
  }

  /** Writes what waits, as a process does a moment after it was recorded; a stopped one does nothing of the kind. */
  beat(): void {
    for (const line of this.#waiting) this.#own.lines.push(line);
    this.#waiting = [];
    this.#own.watermarkMs = this.#clock.now();
    this.#own.beatMs = this.#clock.monotonic();
  }

  #journal(writer: string): Journal {
    const waiting = () => this.#waiting;
    return {
      writer,
      get queued() {
        return waiting().length;
      },
      append: (records) => {
        if (!this.#own.isAlive) return;
        for (const record of records) this.#waiting.push(JSON.stringify(record));
      },
      read: (after, upTo) => this.#read(after, upTo),
      flush: async () => this.beat(),
    };
  }

  async *#read(after: Cursor = {}, upTo?: Cursor): AsyncGenerator<StoredRecord> {
    this.beat();
    for (const [writer, { lines }] of this.#folder.writers) {
      const end = Math.min(lines.length, upTo === undefined ? lines.length : (upTo[writer] ?? 0));
      for (let position = after[writer] ?? 0; position < end; position++) {
        const line = lines[position];
        if (line !== undefined) yield { writer, position, record: JSON.parse(line) };
      }
    }
  }

  async #lease(name: string, writer: string): Promise<Lease | undefined> {
    const { leases, writers } = this.#folder;
    const last = leases.get(name);
    const owner = last && writers.get(last.owner);
    if (owner?.isAlive && this.#clock.monotonic() - owner.beatMs < STOPPED_MS) return undefined;
    const own = { fence: (last?.fence ?? 0) + 1, owner: writer };
    leases.set(name, own);
    return {
      fence: own.fence,
      held: async () => leases.get(name) === own,
      release: async () => {
        if (leases.get(name) === own) leases.set(name, { fence: own.fence, owner: '' });
      },
    };
  }

  async erase(filter: EraseFilter): Promise<EraseReceipt> {
    const matches = eraseMatcher(filter);
    let count = 0;
    for (const { lines } of this.#folder.writers.values()) {
      for (const [position, line] of lines.entries()) {
        if (line === undefined || !matches(JSON.parse(line))) continue;
        lines[position] = undefined;
        count++;
      }
    }
    const files = this.#folder.states.size;
    this.#folder.states.clear();
    return { records: count, decisions: 0, files };
  }

  async close(): Promise<void> {
    this.beat();
    this.#own.isAlive = false;
  }
}

function ledgerIn(folder: SharedFolder): LedgerLog {
  return {
    head: async () => folder.head,
    append: async (entries, after): Promise<AppendResult> => {
      const { head, ledger } = folder;
      if (after.length !== head.length || after.hash !== head.hash) return { kind: 'conflict', head };
      for (const entry of entries) {
        const line = JSON.stringify(entry);
        ledger.push(line);
        folder.head = { length: ledger.length, hash: hashHex(folder.head.hash + line) };
      }
      return { kind: 'ok', head: folder.head };
    },
    read: async function* (from = 0, upTo = Number.POSITIVE_INFINITY) {
      for (let position = from; position < Math.min(upTo, folder.ledger.length); position++) {
        yield { position, entry: JSON.parse(folder.ledger[position] ?? '') };
      }
    },
  };
}

function snapshotsIn({ states }: SharedFolder): Snapshots {
  return {
    load: async (name) => {
      const state = states.get(name);
      return state && { version: state.version, value: JSON.parse(state.text) };
    },
    save: async (name, value, after) => {
      if ((states.get(name)?.version ?? 0) !== after) return false;
      states.set(name, { version: after + 1, text: JSON.stringify(value) });
      return true;
    },
  };
}
