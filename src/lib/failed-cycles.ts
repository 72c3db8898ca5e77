import type { Clock } from '../contract/clock.js';
import type { Store } from '../contract/store.js';

/** The name of the saved state that says whether cycles fail. */
const FAILED_CYCLES = 'failed-cycles';

/** Failed cycles of one process, as `rsi doctor` reads them. */
export interface FailedCycles {
  readonly writer: string;
  /** Cycles in a row that were cut short; 0 after one that was not. */
  readonly count: number;
  /** Of the first and the newest of them, epoch milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Why the newest one was cut short, redacted. */
  readonly why: string;
}

/** Failures are saved at most so often. */
const SAVE_EVERY_MS = 60_000;

/** Keeps in the store whether cycles fail, so that other programs can say so. */
export class FailedCyclesNote {
  readonly #clock: Clock;
  #failed: FailedCycles | undefined;
  #savedMs = Number.NEGATIVE_INFINITY;
  /** What an earlier process left may still be there. */
  #isForeign = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Saves that a cycle was cut short. `why` is redacted. Rejects if the store does. */
  async failed(store: Store, why: string): Promise<void> {
    const atMs = this.#clock.now();
    const { count = 0, sinceMs = atMs } = this.#failed ?? {};
    const isNew = this.#failed?.why !== why;
    this.#failed = { writer: store.writer, count: count + 1, sinceMs, lastMs: atMs, why };
    if (!isNew && Math.abs(atMs - this.#savedMs) < SAVE_EVERY_MS) return;
    this.#savedMs = atMs;
    await save(store, this.#failed);
  }

  /** Saves that cycles no longer fail: after own failures, and once for those that an earlier leader left. */
  async finished(store: Store, leads: boolean): Promise<void> {
    const isDue = this.#failed !== undefined || (leads && this.#isForeign);
    if (!isDue) return;
    const saved = await readFailedCycles(store);
    if (saved && saved.count > 0 && (leads || saved.writer === store.writer)) {
      await save(store, { ...saved, count: 0 });
    }
    this.#failed = undefined;
    this.#savedMs = Number.NEGATIVE_INFINITY;
    if (leads) this.#isForeign = false;
  }
}

async function save(store: Store, failed: FailedCycles): Promise<void> {
  const saved = await store.load(FAILED_CYCLES);
  await store.save(FAILED_CYCLES, { ...failed }, saved?.version ?? 0);
}

/** Returns what was saved of failed cycles; undefined if nothing was that can be read. */
export async function readFailedCycles(store: Pick<Store, 'load'>): Promise<FailedCycles | undefined> {
  // `FailedCyclesNote` wrote it, or the fields are checked below.
  const value = (await store.load(FAILED_CYCLES))?.value as Partial<FailedCycles> | undefined;
  const { writer, count, sinceMs, lastMs, why } = value ?? {};
  const isText = typeof writer === 'string' && typeof why === 'string';
  const isTimed = typeof count === 'number' && typeof sinceMs === 'number' && typeof lastMs === 'number';
  return isText && isTimed ? { writer, count, sinceMs, lastMs, why } : undefined;
}
