import type { Outcome } from 'rsi-loop';

/** Maximum number of failures held back at the same time. Beyond it, the oldest are released. */
const MAX_HELD = 5_000;
/** Minimum length of a call's message to match. A shorter one may occur in its task's message by chance. */
const MIN_TELLING = 12;
const SAYS_NOTHING: ReadonlySet<string> = new Set(['unknown', 'tool_failure']);

/** Result of `SameFailure.take`. */
export interface Separated {
  readonly counted: readonly Outcome[];
  /** Number of tasks that failed because of a call inside them; the call is counted instead. */
  readonly same: number;
}

/**
 * Counts a failed task and the call inside it that caused the failure as one: the call, which is more specific. Holds
 * back the failures of one input until all of it is read, because a call may come before or after its task.
 */
export class SameFailure {
  #held: Outcome[] = [];

  /** Returns what can be counted now: successes, and failures beyond the limit of those held back. */
  take(outcomes: readonly Outcome[]): Separated {
    const counted: Outcome[] = [];
    for (const outcome of outcomes) (outcome.success ? counted : this.#held).push(outcome);
    if (this.#held.length <= MAX_HELD) return { counted, same: 0 };
    const rest = this.flush();
    return { counted: [...counted, ...rest.counted], same: rest.same };
  }

  /** Returns the failures held back, once an input was read to its end. */
  flush(): Separated {
    const held = this.#held;
    this.#held = [];
    const byId = new Map<string, Outcome>(held.map((outcome) => [outcome.id, outcome]));
    const same = new Set<Outcome>();
    for (const call of held) {
      const task = call.parent === undefined ? undefined : byId.get(call.parent);
      if (task !== undefined && task !== call && isSame(task, call)) same.add(task);
    }
    return { counted: held.filter((outcome) => !same.has(outcome)), same: same.size };
  }
}

function isSame(task: Outcome, call: Outcome): boolean {
  if (task.fingerprint !== undefined && task.fingerprint === call.fingerprint) return true;
  const own = task.error?.message ?? '';
  const inner = call.error?.message ?? '';
  if (own === '' || own === 'failed without a message') return task.issues.every((issue) => SAYS_NOTHING.has(issue));
  return own === inner || (inner.length >= MIN_TELLING && own.includes(inner));
}
