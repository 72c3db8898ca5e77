import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { Difference } from '../contract/pattern.js';

/** Text limit per outcome: agents summarise their work at the beginning or not at all. */
const MAX_CHARS = 2_000;
/** Maximum gap for a repeat: the same failure in the same session this soon means the agent changed nothing. */
const REPEAT_MS = 10 * 60_000;
const CLAIM = /\b(?:done|completed?|finished|fixed|succeeded|successful(?:ly)?|all tests pass(?:ed)?|works now)\b/i;
const DENIAL = /\b(?:not|n't|never|unable|cannot|failed|without)\b/i;
const QUESTION = /\?\s*$|\b(?:please clarify|could you clarify|do you mean|did you mean|which one)\b/i;

const MAX_DIFFERENCES = 3;
const MAX_DIFFERENCE_CHARS = 300;

/** Counts of outcomes by how the agent behaved in them. */
export interface BehaviourCounts {
  readonly seen: number;
  /** Reported both the expected and the actual result. */
  readonly differed: number;
  /** The actual result was empty. */
  readonly missing: number;
  /** Failed, but the agent claimed success. */
  readonly claimed: number;
  /** Failed, and the agent asked a question back. */
  readonly asked: number;
  /** The same failure occurred again soon in the same session. */
  readonly repeated: number;
}

/** Tallies the agent's behaviour, one outcome at a time. */
export class Behaviour {
  #counts: BehaviourCounts = { seen: 0, differed: 0, missing: 0, claimed: 0, asked: 0, repeated: 0 };
  #session: string | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;
  #differences: readonly Difference[] = [];

  /** Up to 3 different results, in the order of first occurrence. */
  get differences(): readonly Difference[] {
    return this.#differences;
  }

  get counts(): BehaviourCounts {
    return this.#counts;
  }

  add(outcome: Outcome): void {
    const { expected, session, atMs } = outcome;
    const actual = outcome.actual?.slice(0, MAX_CHARS);
    const counts = this.#counts;
    const repeats =
      session !== undefined && session === this.#session && atMs >= this.#lastMs && atMs - this.#lastMs <= REPEAT_MS;
    const blank = actual !== undefined && actual.trim() === '';
    this.#counts = {
      seen: counts.seen + 1,
      differed: counts.differed + Number(expected !== undefined && actual !== undefined && expected !== actual),
      missing: counts.missing + Number(expected !== undefined && blank),
      claimed: counts.claimed + Number(actual !== undefined && CLAIM.test(actual) && !DENIAL.test(actual)),
      asked: counts.asked + Number(actual !== undefined && QUESTION.test(actual)),
      repeated: counts.repeated + Number(repeats),
    };
    this.#session = session ?? null;
    this.#lastMs = atMs;
    if (actual !== undefined && !blank) this.#addDifference(actual, expected);
  }

  #addDifference(actual: string, expected: string | undefined): void {
    if (this.#differences.length >= MAX_DIFFERENCES) return;
    const came = actual.slice(0, MAX_DIFFERENCE_CHARS);
    if (this.#differences.some((known) => known.actual === came)) return;
    const wanted = expected === undefined ? {} : { expected: expected.slice(0, MAX_DIFFERENCE_CHARS) };
    this.#differences = [...this.#differences, { ...wanted, actual: came }];
  }

  merge(other: Behaviour): void {
    const [a, b] = [this.#counts, other.#counts];
    this.#counts = {
      seen: a.seen + b.seen,
      differed: a.differed + b.differed,
      missing: a.missing + b.missing,
      claimed: a.claimed + b.claimed,
      asked: a.asked + b.asked,
      repeated: a.repeated + b.repeated,
    };
    for (const { actual, expected } of other.#differences) this.#addDifference(actual, expected);
  }

  snapshot(): Json {
    return {
      counts: { ...this.#counts },
      session: this.#session,
      lastMs: Number.isFinite(this.#lastMs) ? this.#lastMs : null,
      ...(this.#differences.length > 0 && { differences: this.#differences.map((difference) => ({ ...difference })) }),
    };
  }

  static restore(kept: BehaviourSnapshot): Behaviour {
    const behaviour = new Behaviour();
    behaviour.#counts = { ...kept.counts };
    behaviour.#session = kept.session;
    behaviour.#lastMs = kept.lastMs ?? Number.NEGATIVE_INFINITY;
    behaviour.#differences = kept.differences ?? [];
    return behaviour;
  }
}

export interface BehaviourSnapshot {
  readonly counts: BehaviourCounts;
  readonly session: string | null;
  readonly lastMs: number | null;
  readonly differences?: readonly Difference[];
}
