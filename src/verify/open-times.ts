import type { Arm } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import type { Unit } from './unit.js';

/** A block is at least this many times as long as tasks of the fix are open. */
const TIMES = 10;
/** Factor on a new length, so that a slightly slower task does not change it again. */
const SPARE = 1.1;
const MAX_BLOCK_MS = 6 * 3_600_000;
/** Tasks and blocks of the fix before their times are judged. */
const MIN_TASKS = 20;
const MIN_BLOCKS = 2;
const KEPT = 200;
/** Share of the tasks that are open for at most the time that counts. */
const MOST = 0.95;

/** Returns the length of blocks if nearly all tasks of the fix are open for at most `openMs`. */
export function blockMsFor(openMs: number): number {
  return Math.ceil(Math.min(MAX_BLOCK_MS, SPARE * TIMES * openMs));
}

export interface OpenTimesSnapshot {
  readonly times: readonly number[];
  readonly blocks: number;
}

/**
 * Times for which tasks of the fix are really open in a trial of blocks. A task that is still open when its block ends
 * takes from the next block, and short blocks then show a gain that vanishes for all tasks together.
 */
export class OpenTimes {
  #times: number[];
  #blocks: number;

  constructor(snapshot?: OpenTimesSnapshot) {
    this.#times = [...(snapshot?.times ?? [])];
    this.#blocks = snapshot?.blocks ?? 0;
  }

  add({ arm, tasks }: Pick<Unit, 'tasks'> & { readonly arm: Arm }): void {
    if (arm !== 'fix') return;
    this.#blocks++;
    for (const { atMs, end } of tasks) if (end) this.#times.push(Math.max(0, end.atMs - atMs));
    if (this.#times.length > 2 * KEPT) this.#times = this.#times.slice(-KEPT);
  }

  /** Returns the length that blocks need; undefined if they are long enough, or if too few tasks have ended. */
  neededBlockMs({ blockMs = 1 }: Pick<Trial, 'blockMs'>): number | undefined {
    if (this.#blocks < MIN_BLOCKS || this.#times.length < MIN_TASKS) return undefined;
    const sorted = [...this.#times].sort((a, b) => a - b);
    const openMs = sorted[Math.floor(MOST * (sorted.length - 1))] ?? 0;
    if (TIMES * openMs <= blockMs || blockMs >= MAX_BLOCK_MS) return undefined;
    return blockMsFor(openMs);
  }

  snapshot(): OpenTimesSnapshot {
    return { times: [...this.#times], blocks: this.#blocks };
  }
}
