import type { RSILoop } from 'rsi-loop';
import { hash } from '../hash.js';
import type { Consumer, StreamEntry, StreamGroup } from './stream-group.js';

/**
 * Records and acknowledges entries, except those that one of the processes `recordedBy` recorded. Returns false if it
 * was stopped.
 */
export type TakeEntries = (entries: readonly StreamEntry[], recordedBy: readonly string[]) => Promise<boolean>;

/** Name of a consumer: the process in the store, and the reader in that process. */
export function consumerName(writer: string, reader: string): string {
  return `${writer}.${reader}`;
}

function writerOf(consumer: string): string {
  return consumer.slice(0, consumer.lastIndexOf('.'));
}

/** Entries per step. */
const BATCH = 1_000;
/** A consumer is deleted after this many times the silence, and only if nothing that it held is pending. */
const FORGET_AFTER = 10;

/**
 * Finds entries that were delivered and never acknowledged: of consumers that are gone, and of this one if an answer of
 * the server was lost.
 */
export class TakeOver {
  readonly #loop: RSILoop;
  readonly #group: StreamGroup;
  readonly #own: string;
  readonly #silentMs: number;

  /** `own` is this process's consumer. Others are gone after `silentMs`, if the store does not know them as alive. */
  constructor(loop: RSILoop, group: StreamGroup, own: string, silentMs: number) {
    this.#loop = loop;
    this.#group = group;
    this.#own = own;
    this.#silentMs = silentMs;
  }

  /** Passes all such entries to `take`. Call it while no other entries are being taken. */
  async run(take: TakeEntries): Promise<void> {
    const gone = await this.#gone();
    const writers = [...new Set(gone.map(({ name }) => writerOf(name)))];
    const isDone = await takeAll(() => this.#group.unfinished(this.#own, BATCH), take, writers);
    if (!isDone || gone.length === 0) return;
    const { stream, name: group } = this.#group;
    const lease = await this.#loop.store.coordination.lease(`redis-${hash(`${stream} ${group}`)}`);
    if (lease === undefined) return; // another process does it
    try {
      for (const { name } of gone) {
        if (!(await takeAll(() => this.#group.claim(name, this.#own, BATCH), take, writers))) return;
      }
      // Entries pass from one dead process to the next. Until all of them are recorded, the first may be the one that did.
      for (const { name, idleMs } of gone) {
        if (idleMs >= FORGET_AFTER * this.#silentMs) await this.#group.forget(name);
      }
    } finally {
      await lease.release();
    }
  }

  /** Returns the silent consumers of processes that ended, and of readers of this process that were detached. */
  async #gone(): Promise<readonly Consumer[]> {
    const consumers = await this.#group.consumers();
    const silent = consumers.filter(({ name, idleMs }) => name !== this.#own && idleMs >= this.#silentMs);
    if (silent.length === 0) return [];
    const { coordination, journal } = this.#loop.store;
    const alive = new Set((await coordination.writers()).filter((one) => one.alive).map(({ writer }) => writer));
    alive.delete(journal.writer);
    return silent.filter(({ name }) => !alive.has(writerOf(name)));
  }
}

async function takeAll(
  next: () => Promise<readonly StreamEntry[]>,
  take: TakeEntries,
  writers: readonly string[],
): Promise<boolean> {
  for (let entries = await next(); entries.length > 0; entries = await next()) {
    if (!(await take(entries, writers))) return false;
  }
  return true;
}
