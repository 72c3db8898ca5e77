import type { Issue, Outcome } from '../records.js';

/** Failures of the surroundings: another temperature would have met them too. */
const OUTSIDE: ReadonlySet<Issue> = new Set<Issue>([
  'rate_limit',
  'quota_exceeded',
  'overloaded',
  'timeout',
  'network',
  'auth',
  'permission',
  'model_not_found',
  'resource_exhausted',
  'server_error',
]);
const MAX_KEPT = 1_000;

/** How a task went lately: how often in a row it failed by its own doing, until when. */
export interface Streak {
  readonly failures: number;
  readonly lastMs: number;
}

/** Counts failures in a row, per task and per agent of a task. */
export class Streaks {
  #kept = new Map<string, Streak>();

  add({ task, agent, success, atMs, issues }: Outcome): void {
    if (!success && issues.some((issue) => OUTSIDE.has(issue))) return;
    for (const key of new Set([keyOf(task), keyOf(task, agent)])) {
      const failures = success ? 0 : 1 + (this.#kept.get(key)?.failures ?? 0);
      this.#kept.delete(key);
      this.#kept.set(key, { failures, lastMs: atMs });
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) return;
      this.#kept.delete(oldest);
    }
  }

  of(task: string, agent?: string): Streak | undefined {
    return this.#kept.get(keyOf(task, agent));
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

/** A cancelled task ended neither well nor badly. */
export function saysSomething({ issues, atMs }: Outcome): boolean {
  return Number.isFinite(atMs) && !issues.includes('cancelled');
}

function keyOf(task: string, agent?: string): string {
  return JSON.stringify(agent === undefined ? [task] : [task, agent]);
}
