import type { Outcome } from '../contract/outcome.js';

/** Tasks remembered: enough for those between two looks of the loop. */
const MAX_KEPT = 4_000;

/** A task that ended: its session, or its source without one; when it began and ended; whether it failed. */
type Ended = readonly [key: string, task: string, begunMs: number, endedMs: number, failed: boolean];

export type OtherTasksSnapshot = readonly Ended[];

/** Which tasks to look at: those that began from `fromMs` on and ended before `toMs`. */
interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** Of one session or source; of all without it. */
  readonly key?: string;
  /** The task of the trial, which is not another one. */
  readonly except: string | undefined;
}

/** Remembers how the newest tasks of all names ended, for trials that look at what else fails. Constant per outcome. */
export class OtherTasks {
  #ended: Ended[];

  constructor(snapshot: OtherTasksSnapshot = []) {
    this.#ended = [...snapshot];
  }

  /** Takes the end of a task. Children of another task are part of it and stay out. */
  add({ session, source, task, atMs, durationMs = 0, success, parent }: Outcome): void {
    if (parent !== undefined) return;
    this.#ended.push([session ?? source, task, atMs - durationMs, atMs, !success]);
    if (this.#ended.length >= 2 * MAX_KEPT) this.#ended = this.#ended.slice(-MAX_KEPT);
  }

  count(window: Window): { readonly tasks: number; readonly failed: number } {
    let [tasks, failed] = [0, 0];
    this.#each(window, (ended) => {
      tasks++;
      if (ended[4]) failed++;
    });
    return { tasks, failed };
  }

  /** Whether the first of them failed; undefined without one. */
  first(window: Window): boolean | undefined {
    let first: Ended | undefined;
    this.#each(window, (ended) => {
      if (!first || ended[2] <= first[2]) first = ended;
    });
    return first?.[4];
  }

  clear(): void {
    this.#ended = [];
  }

  snapshot(): OtherTasksSnapshot {
    return [...this.#ended];
  }

  /** From the newest back, as trials ask about what ended lately. */
  #each({ fromMs, toMs, key, except }: Window, take: (ended: Ended) => void): void {
    for (let index = this.#ended.length - 1; index >= 0; index--) {
      const ended = this.#ended[index];
      if (!ended || ended[3] < fromMs) return;
      const isWithin = ended[2] >= fromMs && ended[3] < toMs;
      if (isWithin && ended[1] !== except && (key === undefined || ended[0] === key)) take(ended);
    }
  }
}
