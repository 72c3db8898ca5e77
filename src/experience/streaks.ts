import type { Issue } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import { PRESSURE } from '../contract/settings.js';

/** Failures caused by the environment. They do not depend on the temperature. */
const OUTSIDE: ReadonlySet<Issue> = /* @__PURE__ */ new Set<Issue>([
  ...PRESSURE,
  'quota_exceeded',
  'network',
  'auth',
  'permission',
  'model_not_found',
]);
const MAX_KEPT = 4_000;
/**
 * Number of entries dropped together when the limit is reached, since finding the oldest for every outcome would be
 * slow.
 */
const FORGOTTEN = MAX_KEPT / 8;

/**
 * Recent failures of a task: the number in a row that the environment did not cause, and the time of the last outcome.
 */
export interface Streak {
  readonly failures: number;
  readonly lastMs: number;
}

type Kept = { -readonly [Name in keyof Streak]: Streak[Name] };

/** Counts failures in a row, per task and per agent of a task. Runs for every outcome, so it avoids allocations. */
export class Streaks {
  #kept = new Map<string, Kept>();

  add({ task, agent, success, atMs, issues }: Outcome): void {
    if (!success && issues.some((issue) => OUTSIDE.has(issue))) return;
    this.#count(taskAgentKey(task), success, atMs);
    if (agent !== undefined) this.#count(taskAgentKey(task, agent), success, atMs);
  }

  #count(key: string, success: boolean, atMs: number): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) {
      if (this.#kept.size >= MAX_KEPT) this.#forgetOldest();
      this.#kept.set(key, { failures: success ? 0 : 1, lastMs: atMs });
      return;
    }
    kept.failures = success ? 0 : kept.failures + 1;
    kept.lastMs = atMs;
  }

  /** Drops the least recently seen entries. */
  #forgetOldest(): void {
    const oldest = [...this.#kept].sort(([, one], [, other]) => one.lastMs - other.lastMs).slice(0, FORGOTTEN);
    for (const [key] of oldest) this.#kept.delete(key);
  }

  of(task: string, agent?: string): Streak | undefined {
    return this.#kept.get(taskAgentKey(task, agent));
  }

  snapshot(): StreaksSnapshot {
    return [...this.#kept].map(([key, { failures, lastMs }]) => [key, failures, lastMs] as const);
  }

  static restore(kept: StreaksSnapshot): Streaks {
    const streaks = new Streaks();
    streaks.#kept = new Map(kept.map(([key, failures, lastMs]) => [key, { failures, lastMs }]));
    return streaks;
  }
}

export type StreaksSnapshot = readonly (readonly [key: string, failures: number, lastMs: number])[];

/** Returns whether an outcome counts. A cancelled task is neither a success nor a failure. */
export function saysSomething({ issues, atMs }: Outcome): boolean {
  return Number.isFinite(atMs) && !issues.includes('cancelled');
}

/** Returns the key of a task and agent, prefixed with a length so that different pairs cannot form the same key. */
function taskAgentKey(task: string, agent = ''): string {
  return `${task.length} ${task}${agent}`;
}
