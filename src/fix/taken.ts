import type { Fix, Issue, Pattern } from '../records.js';

interface Placed {
  readonly fix: Fix;
  readonly place: number;
}

/** The fixes that stand in the way of others, by what they may stand in the way of: every pattern asks in every cycle. */
export class Taken {
  readonly #byPattern = new Map<string, Placed>();
  readonly #byTask = new Map<string, Map<Issue, Placed>>();
  readonly #byScope = new Map<string | undefined, Fix[]>();
  #count = 0;

  constructor(fixes: Iterable<Fix>) {
    for (const fix of fixes) if (isTaken(fix)) this.add(fix);
  }

  add(fix: Fix): void {
    const placed = { fix, place: this.#count++ };
    const { patternId, task, issue, change } = fix;
    if (!this.#byPattern.has(patternId)) this.#byPattern.set(patternId, placed);
    const byIssue = this.#byTask.get(task) ?? new Map<Issue, Placed>();
    this.#byTask.set(task, byIssue);
    if (!byIssue.has(issue)) byIssue.set(issue, placed);
    const inScope = this.#byScope.get(change.scope.task) ?? [];
    this.#byScope.set(change.scope.task, inScope);
    inScope.push(fix);
  }

  /** The fix that was there first for these failures: for the pattern, or for its issue in its task. */
  covering({ id, task, issue }: Pattern): Fix | undefined {
    const ofPattern = this.#byPattern.get(id);
    const ofIssue = this.#byTask.get(task)?.get(issue);
    if (!ofPattern || !ofIssue) return (ofPattern ?? ofIssue)?.fix;
    return ofPattern.place < ofIssue.place ? ofPattern.fix : ofIssue.fix;
  }

  /** Those that hold for some run of a task. */
  holdingFor(task: string): readonly Fix[] {
    const everywhere = this.#byScope.get(undefined);
    const own = this.#byScope.get(task);
    return everywhere && own ? [...everywhere, ...own] : (everywhere ?? own ?? []);
  }
}

/** Stands in the way of another change to the same setting. */
function isTaken({ status }: Fix): boolean {
  return (
    status === 'proposed' ||
    status === 'approved' ||
    status === 'trial' ||
    status === 'confirmed' ||
    status === 'kept-unproven'
  );
}
