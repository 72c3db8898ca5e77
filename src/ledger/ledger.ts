import { LoopError } from '../contract/errors.js';
import type { FixId } from '../contract/ids.js';
import type { Cursor } from '../contract/journal.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerHead, LedgerLog } from '../contract/ledger-log.js';
import type { Batch } from './batch.js';
import { type DroppedStep, keepLegal, type LegalEntries, next } from './legal-entries.js';
import { cursorOf, EMPTY_LEDGER, type LedgerState, reduce } from './reduce.js';

/** One entry of the ledger, and the state before and after it. */
export interface LedgerStep {
  readonly entry: LedgerEntry;
  readonly before: LedgerState;
  readonly after: LedgerState;
  /** Number of entries up to and including this one. */
  readonly entries: number;
  /** Records of a `cycle` entry, if this process has just read them. */
  readonly batch?: Batch;
}

/** Part of a loop that applies entries. */
export interface LedgerFollower {
  /** Applies an entry. Called once per entry, in order, after `state` changed, and awaited before the next entry. */
  commit(step: LedgerStep): void | Promise<void>;
  /** Takes an automatic step that is no longer legal and was dropped. */
  dropped?(step: DroppedStep): void;
  /** Called when `broken` changed. */
  brokenChanged?(): void;
}

/** This process's view of the ledger. Follows other processes' entries and appends its own. */
export class Ledger {
  state: LedgerState = EMPTY_LEDGER;
  readonly #log: LedgerLog;
  readonly #follower: LedgerFollower | undefined;
  readonly #history = new Map<FixId, LedgerEntry[]>();
  /** End of the entries applied so far. The hash is known if no entry followed. */
  #taken: { readonly length: number; readonly hash?: string } = { length: 0 };
  #isReplaced = false;
  #broken: string | undefined;
  /** Tail of the queue: changes run one at a time, because each depends on the one before. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(log: LedgerLog, follower?: LedgerFollower) {
    this.#log = log;
    this.#follower = follower;
  }

  /** Number of entries read so far, including damaged ones. */
  get length(): number {
    return this.#taken.length;
  }

  /** Cursor into the journal after the cycles so far. */
  get cursor(): Cursor {
    return cursorOf(this.state);
  }

  /** Whether the store lost entries that were already applied. Only a new ledger can read the current content. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Why the store's entries cannot be trusted, according to its last report. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Applies entries of other processes since the last call. */
  follow(): Promise<void> {
    return this.#queue(async () => {
      await this.#catchUp();
    });
  }

  /**
   * Appends the entries that `decide` returns for the newest state, all or none. If another process appended first,
   * applies its entries and calls `decide` again. If it returns no entries, nothing happens.
   * `decide` must be quick and free of side effects. `batch` is passed on with the entries.
   * @throws LoopError `illegal-step` or `unknown-fix` before anything is written, `store-replaced`, and what `decide`
   * throws.
   */
  append(decide: (state: LedgerState) => readonly LedgerEntry[], batch?: Batch): Promise<readonly LedgerEntry[]> {
    return this.#append((state) => {
      const entries = decide(state);
      entries.reduce(reduce, state);
      return { entries, dropped: [] };
    }, batch);
  }

  /**
   * Appends automatic decisions, like `append`. Drops and reports steps that are not legal in the newest state, and
   * appends the others. A fix that changed meanwhile therefore never blocks them.
   * @throws what `decide` throws, and what the store throws.
   */
  appendLegal(decide: (state: LedgerState) => readonly LedgerEntry[]): Promise<readonly LedgerEntry[]> {
    return this.#append((state) => keepLegal(state, decide(state)));
  }

  /** Yields the steps applied so far, read from the store again. Call it inside of `settled`, so that none is added. */
  async *steps(): AsyncGenerator<LedgerStep> {
    let before = EMPTY_LEDGER;
    for await (const { entry, position } of this.#log.read(0, this.length)) {
      const [after, why] = next(before, entry);
      if (!why) yield { entry, before, after, entries: position + 1 };
      before = after;
    }
  }

  /** Calls `read` between two entries, and applies no entry until it ends. Returns its result. */
  settled<Value>(read: () => Promise<Value>): Promise<Value> {
    return this.#queue(read);
  }

  /** Returns the decisions on a fix, oldest first. Omits the beginning of a very long history. */
  historyOf(fixId: FixId): readonly LedgerEntry[] {
    return this.#history.get(fixId) ?? [];
  }

  #append(decide: (state: LedgerState) => LegalEntries, batch?: Batch): Promise<readonly LedgerEntry[]> {
    return this.#queue(async () => {
      for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt++) {
        const entries = await this.#tryToAppend(decide, batch);
        if (entries) return entries;
      }
      throw new LoopError(
        'store-conflict',
        `${MAX_CONFLICTS} times in a row others changed the ledger first: look for a process that decides in a tight loop`,
      );
    });
  }

  /** Returns the appended entries; undefined if another process appended first. */
  async #tryToAppend(
    decide: (state: LedgerState) => LegalEntries,
    batch?: Batch,
  ): Promise<readonly LedgerEntry[] | undefined> {
    const head = await this.#catchUp();
    const { entries, dropped } = decide(this.state);
    const result = entries.length > 0 ? await this.#log.append(entries, head) : undefined;
    if (result?.kind === 'conflict') return undefined;
    for (const step of dropped) this.#follower?.dropped?.(step);
    for (const [index, entry] of entries.entries()) await this.#take(entry, head.length + index, batch);
    if (result) this.#taken = result.head;
    return entries;
  }

  async #catchUp(): Promise<LedgerHead> {
    const head = await this.#head();
    const { length } = this.#taken;
    if (head.length > length) {
      for await (const { entry, position } of this.#log.read(length, head.length)) {
        await this.#take(entry, position);
      }
    }
    this.#taken = head;
    if (head.broken !== this.#broken) {
      this.#broken = head.broken;
      this.#follower?.brokenChanged?.();
    }
    return head;
  }

  async #head(): Promise<LedgerHead> {
    try {
      if (this.#isReplaced) throw replaced();
      const head = await this.#log.head();
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
    // Written by another version. It is ignored in every process and at every start.
    if (why) return this.#follower?.dropped?.({ entry, why });
    try {
      await this.#follower?.commit({ entry, before, after: state, entries: position + 1, ...(batch && { batch }) });
    } catch (error) {
      // An entry that could not be applied does not count. It is read and applied again.
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
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

function replaced(): LoopError {
  return new LoopError('store-replaced', 'the ledger was deleted or replaced: the loop reads what its store holds now');
}

const MAX_CONFLICTS = 20;
const MAX_HISTORY = 200;
