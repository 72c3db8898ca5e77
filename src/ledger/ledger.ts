import { LoopError } from '../contract/errors.js';
import type { FixId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead, Store } from '../contract/store.js';
import type { Batch } from './batch.js';
import { type DroppedStep, keepLegal, type LegalEntries, next } from './legal-entries.js';
import { EMPTY_LEDGER, type LedgerState, reduce } from './reduce.js';

export interface LedgerOptions {
  readonly store: Pick<Store, 'read' | 'decide' | 'head'>;
  /**
   * Applies an entry. Called once per entry, in order, after `state` changed; awaited before the next entry. `batch` holds the
   * records of a `cycle` entry if this process has just read them.
   */
  readonly onEntry: (entry: LedgerEntry, before: LedgerState, batch?: Batch) => void | Promise<void>;
  /** Called for every step of the loop itself that was not legal any more and therefore dropped. */
  readonly onDropped?: (step: DroppedStep) => void;
  /** Called when `broken` changed. */
  readonly onBroken?: () => void;
}

/** This process's view of the ledger: follows what others decide and adds what is decided here. */
export class Ledger {
  state: LedgerState = EMPTY_LEDGER;
  readonly #options: LedgerOptions;
  readonly #history = new Map<FixId, LedgerEntry[]>();
  /** Where the entries taken in so far end; the hash is known where nothing came after them. */
  #taken: { readonly length: number; readonly hash?: string } = { length: 0 };
  #isReplaced = false;
  #broken: string | undefined;
  /** One change at a time; each builds on what the one before left. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Entries taken in so far, damaged ones included. */
  get length(): number {
    return this.#taken.length;
  }

  /** The store no longer holds the entries taken in so far: only a new ledger can read what it holds now. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Why the store's entries cannot be trusted, as it said last. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Takes in what was decided elsewhere since the last look. */
  follow(): Promise<void> {
    return this.#queue(async () => {
      await this.#catchUp();
    });
  }

  /**
   * Appends what `decide` makes of the newest state, all of it or nothing. When another process was faster, its entries are
   * taken in and `decide` is asked again; no entries, nothing happens. `decide` must be quick and free of side effects.
   * `batch` is handed on to `onEntry` with the entries.
   * @throws LoopError `illegal-step` or `unknown-fix` before anything is written, `store-replaced`, and what `decide` throws.
   */
  append(decide: (state: LedgerState) => readonly LedgerEntry[], batch?: Batch): Promise<readonly LedgerEntry[]> {
    return this.#append((state) => {
      const entries = decide(state);
      entries.reduce(reduce, state);
      return { entries, dropped: [] };
    }, batch);
  }

  /**
   * Appends as `append` does what the loop itself decides. A step that is not legal in the newest state is dropped and
   * reported, and the others are appended: a fix that moved on meanwhile never stops them.
   * @throws what `decide` throws, and what the store throws.
   */
  appendLegal(decide: (state: LedgerState) => readonly LedgerEntry[]): Promise<readonly LedgerEntry[]> {
    return this.#append((state) => keepLegal(state, decide(state)));
  }

  /** Calls `read` while no entry is half taken in, and takes in none before it ends. Returns what it returns. */
  settled<Value>(read: () => Promise<Value>): Promise<Value> {
    return this.#queue(read);
  }

  /** What was decided on a fix, the oldest first; of a very long story the beginning is left out. */
  historyOf(fixId: FixId): readonly LedgerEntry[] {
    return this.#history.get(fixId) ?? [];
  }

  #append(decide: (state: LedgerState) => LegalEntries, batch?: Batch): Promise<readonly LedgerEntry[]> {
    const { store, onDropped } = this.#options;
    return this.#queue(async () => {
      for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt++) {
        const head = await this.#catchUp();
        const { entries, dropped } = decide(this.state);
        const result = entries.length > 0 ? await store.decide(entries, head) : undefined;
        if (result?.kind === 'conflict') continue;
        for (const step of dropped) onDropped?.(step);
        for (const [index, entry] of entries.entries()) await this.#take(entry, head.length + index, batch);
        if (result) this.#taken = result.head;
        return entries;
      }
      throw new LoopError(
        'store-conflict',
        `${MAX_CONFLICTS} times in a row others changed the ledger first: look for a process that decides in a tight loop`,
      );
    });
  }

  async #catchUp(): Promise<LedgerHead> {
    const head = await this.#head();
    const { length } = this.#taken;
    if (head.length > length) {
      const upTo = { ledger: head.length };
      for await (const { record, position } of this.#options.store.read('ledger', { ledger: length }, upTo)) {
        await this.#take(record, position);
      }
    }
    this.#taken = head;
    if (head.broken !== this.#broken) {
      this.#broken = head.broken;
      this.#options.onBroken?.();
    }
    return head;
  }

  async #head(): Promise<LedgerHead> {
    try {
      if (this.#isReplaced) throw replaced();
      const head = await this.#options.store.head();
      const { length, hash = head.hash } = this.#taken;
      if (head.length < length || (head.length === length && head.hash !== hash)) throw replaced();
      return head;
    } catch (error) {
      if (LoopError.is(error) && error.code === 'store-replaced') this.#isReplaced = true;
      throw error;
    }
  }

  async #take(entry: LedgerEntry, position: number, batch?: Batch): Promise<void> {
    const before = this.state;
    const taken = this.#taken;
    const [state, why] = next(before, entry);
    this.state = state;
    this.#taken = { length: position + 1 };
    // Another version wrote it. It changes nothing here, in every process and at every start.
    if (why) return this.#options.onDropped?.({ entry, why });
    try {
      await this.#options.onEntry(entry, before, batch);
    } catch (error) {
      // What could not be applied was not taken: it is read and applied again.
      this.state = before;
      this.#taken = taken;
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

function replaced(): LoopError {
  return new LoopError('store-replaced', 'the ledger was deleted or replaced: the loop reads what its store holds now');
}

const MAX_CONFLICTS = 20;
const MAX_HISTORY = 200;
