import { randomBytes } from 'node:crypto';
import { type Clock, LoopError, type Outcome, type OutcomeId, type RSILoop } from 'rsi-loop';
import { RecentIds } from '../recent-ids.js';
import { canEvict, readSettings } from './redis-settings.js';
import type { StreamEntry, StreamGroup } from './stream-group.js';
import { consumerName, TakeOver } from './take-over.js';

export interface StreamReaderOptions {
  readonly takeOverMs: number;
  readonly clock: Clock;
  readonly report: (message: string) => void;
}

/** Entries per batch: those that are flushed together. */
const BATCH = 1_000;
/** Longest time that a read waits for entries, and so for `stop`. */
const WAIT_MS = 500;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
/** Outcomes between two breaks for the event loop. */
const PER_SLICE = 200;
/** Ids that are remembered, to notice outcomes that other programs sent twice. */
const REMEMBERED = 200_000;

/** An entry, with its outcome or the reason why it has none. */
interface Found {
  readonly entry: StreamEntry;
  readonly outcome?: Outcome;
  readonly reason: string;
}

/**
 * Reads the entries of a stream, one batch after another: records it, waits until the store has it on disk, then
 * deletes it from the stream. The consumer carries the name of the process in the store. So a process that takes over
 * the entries of a dead one can read which of them that one recorded.
 */
export class StreamReader {
  readonly #loop: RSILoop;
  readonly #group: StreamGroup;
  readonly #options: StreamReaderOptions;
  readonly #ids = new RecentIds(REMEMBERED);
  #isStopped = false;
  #wake: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #lastFailure = '';
  #nextTakeOverMs = 0;

  constructor(loop: RSILoop, group: StreamGroup, options: StreamReaderOptions) {
    this.#loop = loop;
    this.#group = group;
    this.#options = options;
  }

  /** Lets `run` end after the current batch. */
  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  /** Reads until `stop`. Never rejects; failures are reported, and repeated after a wait that grows. */
  async run(): Promise<void> {
    // Before it is ready, the loop may still replace its store, and records would go to one that is never read.
    await this.#loop.ready();
    await this.#attempt(() => this.#warn());
    const consumer = consumerName(this.#loop.store.journal.writer, randomBytes(3).toString('hex'));
    const takeOver = new TakeOver(this.#loop, this.#group, consumer, this.#options.takeOverMs);
    while (!this.#isStopped) {
      // After a failure, the answer with the entries may have been lost.
      if (!(await this.#attempt(() => this.#round(consumer, takeOver)))) this.#nextTakeOverMs = 0;
    }
    await this.#group.forget(consumer).catch(() => undefined);
  }

  /** Reports settings of the server that lose outcomes. */
  async #warn(): Promise<void> {
    const settings = await readSettings(this.#group.connection);
    const { server } = this.#group.connection;
    if (settings.appendonly === false) {
      this.#options.report(`Redis at ${server} loses outcomes when it restarts: set appendonly yes`);
    }
    if (canEvict(settings)) {
      this.#options.report(
        `Redis at ${server} can evict the stream: set maxmemory-policy to noeviction or volatile-lru`,
      );
    }
  }

  async #round(consumer: string, takeOver: TakeOver): Promise<void> {
    this.#mustHaveStore();
    const { clock, takeOverMs } = this.#options;
    if (clock.monotonic() >= this.#nextTakeOverMs) {
      await this.#group.create();
      await takeOver.run((entries, recordedBy) => this.#process(consumer, entries, recordedBy));
      this.#nextTakeOverMs = clock.monotonic() + takeOverMs / 3;
    }
    await this.#process(consumer, await this.#group.next(consumer, BATCH, WAIT_MS));
  }

  /** @throws LoopError if records would stay in memory only. */
  #mustHaveStore(): void {
    if (!this.#loop.hasLostStore) return;
    const why = 'the store of the loop could not be read, and in memory outcomes would be lost';
    throw new LoopError('store-failed', `outcomes stay in ${this.#group.stream}: ${why}`);
  }

  /**
   * Records entries, and deletes them from the stream once they are on disk. Returns false if it was stopped before.
   * @param recordedBy Processes that may have recorded some of them.
   */
  async #process(
    consumer: string,
    entries: readonly StreamEntry[],
    recordedBy: readonly string[] = [],
  ): Promise<boolean> {
    if (entries.length === 0) return true;
    const found = entries.map((entry): Found => ({ entry, ...this.#read(entry) }));
    await this.#record(found, recordedBy);
    if (!(await this.#flush(consumer))) return false;
    const done = found.flatMap(({ entry, outcome }) => (outcome === undefined ? [] : [entry.id]));
    if (!(await this.#until(() => this.#group.done(done)))) return false;
    return this.#reject(found.filter(({ outcome }) => outcome === undefined));
  }

  async #record(found: readonly Found[], recordedBy: readonly string[]): Promise<void> {
    const ids = new Set(found.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome.id as string])));
    const recorded = await this.#recordedOf(ids, recordedBy);
    for (const [index, { outcome }] of found.entries()) {
      if (outcome === undefined || recorded.has(outcome.id)) continue;
      if (this.#ids.add(outcome.id)) this.#loop.observer.take(outcome);
      if (index % PER_SLICE === PER_SLICE - 1) await new Promise(setImmediate);
    }
  }

  /** Sets unreadable entries aside. Returns false if it was stopped before. */
  async #reject(unread: readonly Found[]): Promise<boolean> {
    for (const { entry, reason } of unread) {
      if (!(await this.#until(() => this.#group.reject(entry, reason)))) return false;
    }
    const [first] = unread;
    if (first === undefined) return true;
    const { length } = unread;
    this.#options.report(
      `${length} entries were rejected and moved to {${this.#group.stream}}:rejected: ${first.reason}`,
    );
    return true;
  }

  #read(entry: StreamEntry): Omit<Found, 'entry'> {
    if (entry.text === undefined) return { reason: 'it has no field outcome' };
    const { outcome, problems } = this.#loop.observer.read(parsed(entry.text));
    if (outcome === undefined) {
      const [problem] = problems;
      return { reason: problem === undefined ? 'it is not an outcome' : `${problem.field}: give ${problem.expected}` };
    }
    if (this.#loop.observer.isBegun(outcome.id))
      return { reason: 'another sender began the task of this id, and it alone ends it' };
    if (outcome.id !== '') return { outcome, reason: '' };
    // The same id again if the entry is read again. An outcome's id is any text that is used once.
    return { outcome: { ...outcome, id: `${this.#group.stream}-${entry.id}` as OutcomeId }, reason: '' };
  }

  /** Waits until the store has everything on disk. Meanwhile shows the other processes that this one is alive. */
  async #flush(consumer: string): Promise<boolean> {
    const { clock, takeOverMs } = this.#options;
    let cancel = () => {};
    let isOver = false;
    const beatLater = () => {
      const beat = () => void this.#group.unfinished(consumer, 1).then(beatLater, beatLater);
      if (isOver) return;
      cancel = clock.after(takeOverMs / 3, beat, { background: true });
    };
    beatLater();
    const isFlushed = await this.#until(() => this.#loop.flush());
    isOver = true;
    cancel();
    return isFlushed;
  }

  /** Returns those ids that these processes recorded. */
  async #recordedOf(ids: ReadonlySet<string>, writers: readonly string[]): Promise<ReadonlySet<string>> {
    const recorded = new Set<string>();
    if (writers.length === 0) return recorded;
    const upTo = Object.fromEntries(writers.map((writer) => [writer, Number.MAX_SAFE_INTEGER]));
    for await (const { record } of this.#loop.store.journal.read({}, upTo)) {
      if (record.kind === 'outcome' && ids.has(record.outcome.id)) recorded.add(record.outcome.id);
    }
    return recorded;
  }

  /** Repeats work until it succeeds. Returns false if the reader was stopped before that. */
  async #until(work: () => Promise<void>): Promise<boolean> {
    while (!(await this.#attempt(work))) if (this.#isStopped) return false;
    return true;
  }

  /** Returns whether the work succeeded. After a failure, reports it and waits. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#retryMs = FIRST_RETRY_MS;
      this.#lastFailure = '';
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.#lastFailure) this.#options.report(message);
      this.#lastFailure = message;
      await this.#pause(this.#retryMs);
      this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs);
      return false;
    }
  }

  #pause(delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(delayMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** Returns the value of a JSON text, or the text itself, which no outcome is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
