import type { Outcome } from 'rsi-loop';

/** Names counted per task. Further names are counted under `OTHERS`, so memory stays bounded for any input. */
const MAX_NAMES = 24;
/** Maximum number of task and issue pairs that are broken down. */
const MAX_CELLS = 5_000;
const OTHERS = '(others)';

/** Failures and attempts under one name. */
export interface Share {
  readonly name: string;
  readonly failures: number;
  readonly of: number;
}

/** Counts, per task and issue, which models and tools the failures came from and how often those were used. */
export class Breakdown {
  /** By task, then by model or tool: all outcomes. */
  readonly #used = { model: new Map<string, Names>(), tool: new Map<string, Names>() };
  /** By task and issue, then by model or tool: the failures. */
  readonly #failed = { model: new Map<string, Names>(), tool: new Map<string, Names>() };

  absorb(outcome: Outcome): void {
    const { task, success, issues, weight = 1 } = outcome;
    for (const field of ['model', 'tool'] as const) {
      const name = outcome[field];
      if (name === undefined) continue;
      namesOf(this.#used[field], task)?.add(name, weight);
      if (success) continue;
      for (const issue of issues.length > 0 ? issues : ['unknown']) {
        namesOf(this.#failed[field], cellKey(task, issue))?.add(name, weight);
      }
    }
  }

  /** Returns the models (or tools) of a task's failures with this issue, most failures first. */
  shares(field: 'model' | 'tool', task: string, issue: string): readonly Share[] {
    const used = this.#used[field].get(task);
    const failed = this.#failed[field].get(cellKey(task, issue));
    if (!used || !failed) return [];
    return [...used.counts]
      .map(([name, of]) => ({ name, failures: failed.counts.get(name) ?? 0, of }))
      .sort((a, b) => b.failures - a.failures || b.of - a.of || (a.name < b.name ? -1 : 1));
  }
}

class Names {
  readonly counts = new Map<string, number>();

  add(name: string, weight: number): void {
    const known = this.counts.has(name) || this.counts.size < MAX_NAMES;
    const key = known ? name : OTHERS;
    this.counts.set(key, (this.counts.get(key) ?? 0) + weight);
  }
}

function namesOf(cells: Map<string, Names>, key: string): Names | undefined {
  const found = cells.get(key);
  if (found || cells.size >= MAX_CELLS) return found;
  const made = new Names();
  cells.set(key, made);
  return made;
}

function cellKey(task: string, issue: string): string {
  return `${task}\u0000${issue}`;
}
