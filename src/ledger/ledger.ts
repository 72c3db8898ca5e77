import { LoopError } from '../errors.js';
import type { LedgerHead, Store } from '../ports.js';
import type { FixId, LedgerEntry } from '../records.js';
import { EMPTY_LEDGER, type LedgerState, reduce } from './reduce.js';

export interface LedgerOptions {
  readonly store: Pick<Store, 'read' | 'decide' | 'head'>;
  /** Called for every entry in order, whoever wrote it, once state has moved. The next entry waits for it. */
  readonly onEntry: (entry: LedgerEntry, before: LedgerState) => void | Promise<void>;
}

/** This process's view of the ledger: follows what others decide and adds what is decided here. */
export class Ledger {
  state: LedgerState = EMPTY_LEDGER;
  readonly #options: LedgerOptions;
  readonly #history = new Map<FixId, LedgerEntry[]>();
  #taken = 0;
  /** One change at a time; each builds on what the one before left. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Entries taken in so far. */
  get length(): number {
    return this.#taken;
  }

  /** Takes in what was decided elsewhere since the last look. */
  follow(): Promise<void> {
    return this.#queue(async () => {
      await this.#catchUp();
    });
  }

  /**
   * Appends what `decide` makes of the newest state. When somebody else was faster, their entries are taken in and
   * `decide` is asked again; no entries, nothing happens. `decide` must be quick and free of side effects.
   * @throws LoopError `illegal-step` or `unknown-fix` before anything is written, and what `decide` throws.
   */
  append(decide: (state: LedgerState) => readonly LedgerEntry[]): Promise<readonly LedgerEntry[]> {
    return this.#queue(async () => {
      for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt++) {
        const head = await this.#catchUp();
        const entries = decide(this.state);
        if (entries.length === 0) return entries;
        entries.reduce(reduce, this.state);
        const result = await this.#options.store.decide(entries, head);
        if (result.kind === 'conflict') continue;
        for (const entry of entries) await this.#take(entry);
        return entries;
      }
      throw new LoopError(
        'store-conflict',
        `${MAX_CONFLICTS} times in a row others changed the ledger first: look for a process that decides in a tight loop`,
      );
    });
  }

  /** What was decided on a fix, the oldest first; of a very long story the beginning is left out. */
  historyOf(fixId: FixId): readonly LedgerEntry[] {
    return this.#history.get(fixId) ?? [];
  }

  async #catchUp(): Promise<LedgerHead> {
    const head = await this.#options.store.head();
    if (head.length > this.#taken) {
      for await (const { record } of this.#options.store.read('ledger', { ledger: this.#taken })) {
        await this.#take(record);
        if (this.#taken === head.length) break;
      }
    }
    return head;
  }

  async #take(entry: LedgerEntry): Promise<void> {
    const before = this.state;
    this.state = reduce(before, entry);
    this.#taken++;
    try {
      await this.#options.onEntry(entry, before);
    } catch (error) {
      // What could not be applied was not taken: it is read and applied again.
      this.state = before;
      this.#taken--;
      throw error;
    }
    this.#remember(entry);
  }

  #remember(entry: LedgerEntry): void {
    const fixId = entry.kind === 'fix-proposed' ? entry.fix.id : 'fixId' in entry ? entry.fixId : undefined;
    if (fixId === undefined) return;
    const history = this.#history.get(fixId) ?? [];
    history.push(entry);
    if (history.length > MAX_HISTORY) history.shift();
    this.#history.set(fixId, history);
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}

const MAX_CONFLICTS = 20;
const MAX_HISTORY = 200;
