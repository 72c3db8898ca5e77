import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { Issue } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';

/**
 * Index of open fixes by pattern, task and scope, used to detect conflicts. Every pattern queries it in every cycle.
 */
export class OpenFixes {
  readonly #byPattern = new Map<string, Fix>();
  readonly #byTask = new Map<string, Map<Issue, readonly Fix[]>>();
  readonly #byScope = new Map<string | undefined, Fix[]>();

  readonly #needsPerson: (change: Change) => boolean;

  /** A waiting fix that needs a person is covered by any other fix for the same failures. */
  constructor(fixes: Iterable<Fix>, needsPerson: (change: Change) => boolean) {
    this.#needsPerson = needsPerson;
    for (const fix of fixes) if (isTaken(fix)) this.add(fix);
  }

  add(fix: Fix): void {
    const { patternId, task, issue, change } = fix;
    this.#byPattern.set(patternId, this.#furthest(this.#byPattern.get(patternId), fix));
    const byIssue = this.#byTask.get(task) ?? new Map<Issue, readonly Fix[]>();
    this.#byTask.set(task, byIssue);
    byIssue.set(issue, [...(byIssue.get(issue) ?? []), fix]);
    const inScope = this.#byScope.get(change.scope.task) ?? [];
    this.#byScope.set(change.scope.task, inScope);
    inScope.push(fix);
  }

  /** Returns the most advanced fix for the pattern, or for its issue in its task; the first of equals. */
  covering(pattern: Pattern): Fix | undefined {
    const first = this.#byPattern.get(pattern.id);
    return this.forFailures(pattern).reduce<Fix | undefined>((one, other) => this.#furthest(one, other), first);
  }

  /** Returns the fixes for the pattern's issue in its task. */
  forFailures({ task, issue }: Pattern): readonly Fix[] {
    return this.#byTask.get(task)?.get(issue) ?? [];
  }

  /** Returns the fixes that apply to some run of a task. */
  holdingFor(task: string): readonly Fix[] {
    const everywhere = this.#byScope.get(undefined);
    const own = this.#byScope.get(task);
    return everywhere && own ? [...everywhere, ...own] : (everywhere ?? own ?? []);
  }

  /**
   * Returns the more advanced fix: one in progress or in force, then a waiting one that the loop can approve, then one
   * that waits for a person. Several may cover the same failures, because a safe setting goes ahead of a waiting rule.
   */
  #furthest(one: Fix | undefined, other: Fix): Fix {
    return one && this.#stageOf(one) >= this.#stageOf(other) ? one : other;
  }

  #stageOf({ status, change }: Fix): number {
    if (status !== 'proposed') return 2;
    return this.#needsPerson(change) ? 0 : 1;
  }
}

/** Returns whether the fix blocks other changes to the same setting. */
function isTaken({ status }: Fix): boolean {
  return (
    status === 'proposed' ||
    status === 'approved' ||
    status === 'trial' ||
    status === 'confirmed' ||
    status === 'applied-unverified'
  );
}
