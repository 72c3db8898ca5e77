import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { Issue } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import { addTo } from '../lib/add-to.js';

/**
 * Index of open fixes by pattern, task and scope, used to detect conflicts. Every pattern queries it in every cycle.
 */
export class OpenFixes {
  readonly #byPattern = new Map<string, Fix[]>();
  readonly #byTask = new Map<string, Map<Issue, readonly Fix[]>>();
  readonly #byScope = new Map<string | undefined, Fix[]>();

  readonly #needsPerson: (change: Change) => boolean;
  readonly #goesOnUnder: (fix: Fix, pattern: Pattern) => boolean;

  /**
   * A waiting fix that needs a person is covered by any other fix for the same failures. A fix under which a pattern
   * goes on covers only what it prevents: it is no obstacle to a fix for the rest.
   */
  constructor(
    fixes: Iterable<Fix>,
    needsPerson: (change: Change) => boolean,
    goesOnUnder: (fix: Fix, pattern: Pattern) => boolean = () => false,
  ) {
    this.#needsPerson = needsPerson;
    this.#goesOnUnder = goesOnUnder;
    for (const fix of fixes) if (isTaken(fix)) this.add(fix);
  }

  add(fix: Fix): void {
    const { patternId, task, issue, change } = fix;
    addTo(this.#byPattern, patternId, fix);
    const byIssue = this.#byTask.get(task) ?? new Map<Issue, readonly Fix[]>();
    this.#byTask.set(task, byIssue);
    byIssue.set(issue, [...(byIssue.get(issue) ?? []), fix]);
    const inScope = this.#byScope.get(change.scope.task) ?? [];
    this.#byScope.set(change.scope.task, inScope);
    inScope.push(fix);
  }

  /** Returns the most advanced fix for the pattern, or for its issue in its task; the first of equals. */
  covering(pattern: Pattern): Fix | undefined {
    const own = this.#withoutRest(this.#byPattern.get(pattern.id) ?? [], pattern);
    return [...own, ...this.forFailures(pattern)].reduce<Fix | undefined>(
      (one, other) => this.#furthest(one, other),
      undefined,
    );
  }

  /** Returns the fixes for the pattern's issue in its task, except those under which the pattern goes on. */
  forFailures(pattern: Pattern): readonly Fix[] {
    return this.#withoutRest(this.#byTask.get(pattern.task)?.get(pattern.issue) ?? [], pattern);
  }

  #withoutRest(fixes: readonly Fix[], pattern: Pattern): readonly Fix[] {
    return fixes.filter((fix) => !this.#goesOnUnder(fix, pattern));
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
