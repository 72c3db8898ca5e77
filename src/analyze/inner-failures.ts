import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import { BoundedMap } from '../lib/bounded-map.js';

/** Enclosing tasks that are remembered until they end. */
const MAX_PARENTS = 4_000;
const MAX_CHILDREN = 8;

/** Name of a failed task, then its issues. */
type Child = readonly string[];

/** Failed tasks that ran inside others, by the task around them. Captured calls do not count: only the task around can retry them. */
export class InnerFailures {
  readonly #children = new BoundedMap<readonly Child[]>(MAX_PARENTS);

  /** Takes a failed outcome. Inner tasks must be taken before the task around them is looked up. */
  add({ parent, success, managed, task, issues }: Outcome): void {
    if (success || parent === undefined || !managed) return;
    const known = this.#children.get(parent) ?? [];
    if (known.length < MAX_CHILDREN) this.#children.put(parent, [...known, [task, ...issues]]);
  }

  /**
   * Returns whether an inner task failed the same way, so that the failure belongs to it. A task that calls itself does
   * not count as another one.
   */
  explain({ id, task, issues }: Outcome): boolean {
    const children = this.#children.take(id) ?? [];
    return children.some(
      ([name, ...inside]) => name !== task && issues.every((issue) => issue === 'unknown' || inside.includes(issue)),
    );
  }

  snapshot(): Json {
    return [...this.#children].map(([parent, children]) => [parent, children.map((child) => [...child])]);
  }

  static restore(kept: InnerFailuresSnapshot): InnerFailures {
    const restored = new InnerFailures();
    for (const [parent, children] of kept) restored.#children.put(parent, children);
    return restored;
  }
}

export type InnerFailuresSnapshot = readonly (readonly [parent: string, children: readonly Child[]])[];
