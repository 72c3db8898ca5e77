import type { Outcome } from 'rsi-loop';
import { BoundedMap, type LoopHandle, messageOf, partsOf } from 'rsi-loop/kit';
import type { SessionResult } from './study-entry.js';

type Counts = { -readonly [Name in Exclude<keyof SessionResult, 'followed'>]-?: NonNullable<SessionResult[Name]> };

/** Sessions that are counted at the same time. */
const MAX_OPEN = 10_000;

/** Sessions of a loop that take part in a study. Their failed tasks are their result. */
export class LoopSessions {
  readonly #loop: LoopHandle;
  readonly #end: (session: string, result: SessionResult) => Promise<void>;
  readonly #open = new BoundedMap<Counts>(MAX_OPEN);
  readonly #listen = (outcome: Outcome) => this.#count(outcome);

  /** `end` records the result of a session. The loop must be ready. */
  constructor(loop: LoopHandle, end: (session: string, result: SessionResult) => Promise<void>) {
    this.#loop = loop;
    this.#end = end;
    partsOf(loop).listeners.add(this.#listen);
  }

  /** Whether nothing may be left out, because the loop is frozen. */
  get isFrozen(): boolean {
    const { ledger, noTrials } = partsOf(this.#loop);
    return ledger.state.frozen !== undefined || noTrials !== undefined;
  }

  /** Counts the tasks of a session from this moment. */
  open(session: string): void {
    if (this.#open.has(session)) return;
    this.#open.put(session, { tasks: 0, failures: 0, durationMs: 0, tokens: 0, costUsd: 0 });
  }

  /** Counts no further session. */
  stop(): void {
    partsOf(this.#loop).listeners.delete(this.#listen);
  }

  #count(outcome: Outcome): void {
    const { session } = outcome;
    const counts = session === undefined ? undefined : this.#open.get(session);
    if (!counts || session === undefined) return;
    if (isTask(outcome)) add(counts, outcome);
    if (!outcome.endsSession) return;
    this.#open.delete(session);
    if (counts.tasks === 0) return;
    this.#end(session, counts).catch((error) =>
      partsOf(this.#loop).report({ where: 'prove', message: messageOf(error) }),
    );
  }
}

/** Whether the outcome is a task of its own: not a part of one, and not only the end of the session. */
function isTask({ parent, task, success, endsSession }: Outcome): boolean {
  const isOnlyEnd = task === 'session' && endsSession === true && success;
  return parent === undefined && !isOnlyEnd;
}

function add(counts: Counts, { success, durationMs = 0, tokens, costUsd = 0 }: Outcome): void {
  counts.tasks++;
  if (!success) counts.failures++;
  counts.durationMs += durationMs;
  counts.tokens += (tokens?.input ?? 0) + (tokens?.output ?? 0);
  counts.costUsd += costUsd;
}
