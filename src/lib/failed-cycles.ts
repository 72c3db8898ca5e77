import type { Clock } from '../contract/clock.js';
import type { Snapshots } from '../contract/snapshots.js';
import type { Store } from '../contract/store.js';

/** Name of the saved state that records failing cycles. */
const FAILED_CYCLES = 'failed-cycles';

/** Failed cycles of one process, as `rsi doctor` reads them. */
export interface FailedCycles {
  readonly writer: string;
  /** Number of consecutive cycles that were cut short; 0 after a complete one. */
  readonly count: number;
  /** Time of the first and of the newest one, in epoch milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Reason for the newest failure, redacted. */
  readonly why: string;
}

/** Minimum interval between two saves of failures, in milliseconds. */
const SAVE_EVERY_MS = 60_000;

type NoteStore = Pick<Store, 'journal' | 'snapshots'>;

/** Saves in the store whether cycles fail, so that other programs can report it. */
export class FailedCyclesNote {
  readonly #clock: Clock;
  #failed: FailedCycles | undefined;
  #savedMs = Number.NEGATIVE_INFINITY;
  /** Whether state of an earlier process may still be present. */
  #isForeign = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Saves that a cycle was cut short. `why` is redacted. Rejects if the store does. */
  async failed(store: NoteStore, why: string): Promise<void> {
    const atMs = this.#clock.now();
    const { count = 0, sinceMs = atMs } = this.#failed ?? {};
    const isNew = this.#failed?.why !== why;
    this.#failed = { writer: store.journal.writer, count: count + 1, sinceMs, lastMs: atMs, why };
    if (!isNew && Math.abs(atMs - this.#savedMs) < SAVE_EVERY_MS) return;
    this.#savedMs = atMs;
    await save(store.snapshots, this.#failed);
  }

  /** Saves that cycles succeed again: after this process's failures, and once for those of an earlier leader. */
  async finished(store: NoteStore, leads: boolean): Promise<void> {
    const isDue = this.#failed !== undefined || (leads && this.#isForeign);
    if (!isDue) return;
    const saved = await readFailedCycles(store.snapshots);
    if (saved && saved.count > 0 && (leads || saved.writer === store.journal.writer)) {
      await save(store.snapshots, { ...saved, count: 0 });
    }
    this.#failed = undefined;
    this.#savedMs = Number.NEGATIVE_INFINITY;
    if (leads) this.#isForeign = false;
  }
}

async function save(snapshots: Snapshots, failed: FailedCycles): Promise<void> {
  const saved = await snapshots.load(FAILED_CYCLES);
  await snapshots.save(FAILED_CYCLES, { ...failed }, saved?.version ?? 0);
}

/** Returns the saved failed cycles; undefined if there are none or they are invalid. */
export async function readFailedCycles(snapshots: Pick<Snapshots, 'load'>): Promise<FailedCycles | undefined> {
  // Written by `FailedCyclesNote`; the fields are checked below.
  const value = (await snapshots.load(FAILED_CYCLES))?.value as Partial<FailedCycles> | undefined;
  const { writer, count, sinceMs, lastMs, why } = value ?? {};
  const isText = typeof writer === 'string' && typeof why === 'string';
  const isTimed = typeof count === 'number' && typeof sinceMs === 'number' && typeof lastMs === 'number';
  return isText && isTimed ? { writer, count, sinceMs, lastMs, why } : undefined;
}
