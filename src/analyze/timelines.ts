import type { Issue } from '../contract/issue.js';
import type { Rate } from '../contract/rate.js';
import { type FailureGroup, OUTLIER } from './failure-group.js';
import { type ModelCalls, rateOfCalls } from './model-counts.js';
import type { Column } from './series-rate.js';
import type { TaskStats } from './task-stats.js';
import { type Timeline, WINDOW_BUCKETS } from './timeline.js';

/** Failures of one class per bucket. */
export interface IssueTimeline {
  readonly issue: Issue;
  readonly counts: readonly number[];
}

/** Calls of one model per bucket, with the rate of failed calls in the window. `task` is `*` for all tasks together. */
export interface ModelTimeline {
  readonly model: string;
  readonly task: string;
  readonly rate: Rate;
  readonly calls: readonly number[];
  readonly failures: readonly number[];
}

interface Counts {
  readonly timeline: Timeline;
  readonly cells: () => Iterable<TaskStats>;
  readonly groups: () => Iterable<FailureGroup>;
}

/**
 * Counts per bucket of the window: bucket `i` begins at `sinceMs + i * stepMs`, and the last one is still filling.
 * A window of 7 days has hourly buckets.
 */
export class Timelines {
  readonly sinceMs: number;
  readonly stepMs: number;
  readonly buckets = WINDOW_BUCKETS;
  readonly #counts: Counts;
  readonly #first: number;
  readonly #nowMs: number;

  constructor(counts: Counts, nowMs: number) {
    this.#counts = counts;
    this.#nowMs = nowMs;
    this.#first = counts.timeline.window(nowMs).first;
    this.stepMs = counts.timeline.bucketMs;
    this.sinceMs = this.#first * this.stepMs;
  }

  /** Returns the number of tasks per bucket. Leaves out tasks inside other tasks. */
  tasks(): readonly number[] {
    const totals = this.#empty();
    for (const cell of this.#counts.cells()) if (!cell.child) this.#add(totals, cell.chances('failure', false));
    return totals;
  }

  /** Returns failures per bucket and class, the most frequent class first. A failure of two classes counts in both. */
  failures(): readonly IssueTimeline[] {
    const byIssue = new Map<Issue, number[]>();
    for (const { key, occurrences } of this.#counts.groups()) {
      if (key.kind !== 'failure' || key.child) continue;
      const counts = byIssue.get(key.issue) ?? this.#empty();
      byIssue.set(key.issue, counts);
      this.#add(counts, occurrences);
    }
    return [...byIssue]
      .map(([issue, counts]) => ({ issue, counts, total: sum(counts) }))
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total || (a.issue < b.issue ? -1 : 1))
      .map(({ issue, counts }) => ({ issue, counts }));
  }

  /** Returns the occurrences of a pattern per bucket, and the tasks in which it could have occurred. */
  ofPattern(id: string): { readonly occurrences: readonly number[]; readonly tasks: readonly number[] } | undefined {
    for (const { id: own, key, occurrences } of this.#counts.groups()) {
      if (own !== id) continue;
      const counts = { occurrences: this.#empty(), tasks: this.#empty() };
      this.#add(counts.occurrences, occurrences);
      for (const cell of this.#counts.cells()) {
        if (cell.task !== key.task || cell.child !== key.child) continue;
        this.#add(counts.tasks, cell.chances(key.kind, key.wording === OUTLIER));
      }
      return counts;
    }
    return undefined;
  }

  /** Returns the occurrences of these patterns, with `width` buckets added up to one. The last of them may be shorter. */
  ofPatterns(ids: ReadonlySet<string>, width: number): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, readonly number[]>();
    for (const { id, occurrences } of this.#counts.groups()) {
      if (!ids.has(id)) continue;
      const counts = new Array<number>(Math.ceil(this.buckets / width)).fill(0);
      occurrences.series.addTo(counts, occurrences.column, { first: this.#first, width });
      found.set(id, counts);
    }
    return found;
  }

  /** Returns the calls of each model, for each task and for all tasks together. */
  ofModels(): readonly ModelTimeline[] {
    const { timeline } = this.#counts;
    const window = { ...timeline.window(this.#nowMs), timeline };
    const found = new Map<string, ModelTimelineDraft>();
    for (const { task, models } of this.#counts.cells()) {
      for (const [model, calls] of models.calls()) {
        for (const name of [task, ALL]) {
          const key = JSON.stringify([model, name]);
          const draft = found.get(key) ?? { model, task: name, of: [] };
          draft.of.push(calls);
          found.set(key, draft);
        }
      }
    }
    const rows = [...found.values()].map(({ model, task, of }): ModelTimeline => {
      const [calls, failures] = [this.#empty(), this.#empty()];
      for (const one of of) {
        this.#add(calls, one.calls);
        this.#add(failures, one.failures);
      }
      return { model, task, rate: rateOfCalls(calls, failures, window), calls, failures };
    });
    return rows
      .filter(({ rate }) => rate.of > 0)
      .sort(
        (a, b) => byName(a.model, b.model) || Number(b.task === ALL) - Number(a.task === ALL) || byName(a.task, b.task),
      );
  }

  #empty(): number[] {
    return new Array<number>(this.buckets).fill(0);
  }

  #add(counts: number[], { series, column }: Column): void {
    series.addTo(counts, column, { first: this.#first, width: 1 });
  }
}

interface ModelTimelineDraft {
  readonly model: string;
  readonly task: string;
  readonly of: ModelCalls[];
}

/** Name for all tasks together. */
const ALL = '*';

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
