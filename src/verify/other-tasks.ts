import type { Outcome } from '../contract/outcome.js';
import type { Mutable } from '../lib/mutable.js';

/** Limit on remembered tasks: enough for the time between two checks by the loop. */
const MAX_KEPT = 4_000;

/** Ended task: its session (or its source without one), name, start and end times, and whether it failed. */
type Ended = readonly [key: string, task: string, begunMs: number, endedMs: number, failed: boolean];

export interface TaskCounts {
  readonly tasks: number;
  readonly failures: number;
}

export interface OtherTasksSnapshot {
  readonly ended: readonly Ended[];
  readonly all: TaskCounts;
  readonly named: readonly (readonly [task: string, counts: TaskCounts])[];
}

/** Filter: tasks that began at or after `fromMs` and ended before `toMs`. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** One session or source. Default all. */
  readonly key?: string;
  /** Task name of the trial, which is excluded. */
  readonly except: string | undefined;
}

type Totals = Mutable<TaskCounts>;
const NONE: TaskCounts = { tasks: 0, failures: 0 };

/** Recent results of all task names, for trials that check what else fails. Constant cost per outcome. */
export class OtherTasks {
  #ended: Ended[];
  /** Totals since the first open trial began: of all tasks, and of the names under trial. */
  #all: Totals;
  readonly #named: Map<string, Totals>;

  constructor(snapshot?: OtherTasksSnapshot) {
    this.#ended = [...(snapshot?.ended ?? [])];
    this.#all = { ...(snapshot?.all ?? NONE) };
    this.#named = new Map(snapshot?.named.map(([task, counts]) => [task, { ...counts }]));
  }

  /** Adds the end of a task. Ignores child tasks, which are part of their parent. */
  add({ session, source, task, atMs, durationMs = 0, success, parent }: Outcome): void {
    if (parent !== undefined) return;
    count(this.#all, success);
    const named = this.#named.get(task);
    if (named) count(named, success);
    this.#ended.push([session ?? source, task, atMs - durationMs, atMs, !success]);
    if (this.#ended.length >= 2 * MAX_KEPT) this.#ended = this.#ended.slice(-MAX_KEPT);
  }

  /** Returns the totals of all names but one. Only the difference of two calls for the same name has a meaning. */
  totals(except: string): TaskCounts {
    const own = this.#named.get(except) ?? { ...NONE };
    this.#named.set(except, own);
    return { tasks: this.#all.tasks - own.tasks, failures: this.#all.failures - own.failures };
  }

  count(window: Window): TaskCounts {
    const matching = this.#matching(window);
    return { tasks: matching.length, failures: matching.filter((ended) => ended[4]).length };
  }

  /** Returns whether the first matching task failed; undefined without a match. */
  first(window: Window): boolean | undefined {
    let first: Ended | undefined;
    for (const ended of this.#matching(window)) if (!first || ended[2] <= first[2]) first = ended;
    return first?.[4];
  }

  clear(): void {
    this.#ended = [];
    this.#all = { ...NONE };
    this.#named.clear();
  }

  snapshot(): OtherTasksSnapshot {
    return {
      ended: [...this.#ended],
      all: { ...this.#all },
      named: [...this.#named].map(([task, counts]) => [task, { ...counts }] as const),
    };
  }

  /** Returns matching tasks, the newest first. Records arrive in the order of their ends. */
  #matching({ fromMs, toMs, key, except }: Window): readonly Ended[] {
    const matching: Ended[] = [];
    for (let index = this.#countBefore(toMs) - 1; index >= 0; index--) {
      const ended = this.#ended[index];
      if (!ended || ended[3] < fromMs) break;
      const isWithin = ended[2] >= fromMs && ended[3] < toMs;
      if (isWithin && ended[1] !== except && (key === undefined || ended[0] === key)) matching.push(ended);
    }
    return matching;
  }

  #countBefore(toMs: number): number {
    let [low, high] = [0, this.#ended.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ended[middle]?.[3] ?? 0) < toMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function count(counts: Totals, success: boolean): void {
  counts.tasks++;
  if (!success) counts.failures++;
}
