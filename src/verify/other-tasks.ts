import type { Outcome } from '../contract/outcome.js';

/** Limit on remembered tasks: enough for the time between two checks by the loop. */
const MAX_KEPT = 4_000;

/** Ended task: its session (or its source without one), name, start and end times, and whether it failed. */
type Ended = readonly [key: string, task: string, begunMs: number, endedMs: number, failed: boolean];

export type OtherTasksSnapshot = readonly Ended[];

/** Filter: tasks that began at or after `fromMs` and ended before `toMs`. */
interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** One session or source. Default all. */
  readonly key?: string;
  /** Task name of the trial, which is excluded. */
  readonly except: string | undefined;
}

/** Recent results of all task names, for trials that check what else fails. Constant cost per outcome. */
export class OtherTasks {
  #ended: Ended[];

  constructor(snapshot: OtherTasksSnapshot = []) {
    this.#ended = [...snapshot];
  }

  /** Adds the end of a task. Ignores child tasks, which are part of their parent. */
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

  /** Returns whether the first matching task failed; undefined without a match. */
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

  /** Visits matching tasks from the newest back, because trials ask about recent ones. */
  #each({ fromMs, toMs, key, except }: Window, take: (ended: Ended) => void): void {
    for (let index = this.#ended.length - 1; index >= 0; index--) {
      const ended = this.#ended[index];
      if (!ended || ended[3] < fromMs) return;
      const isWithin = ended[2] >= fromMs && ended[3] < toMs;
      if (isWithin && ended[1] !== except && (key === undefined || ended[0] === key)) take(ended);
    }
  }
}
