import type { Outcome } from 'rsi-loop';
import { ranking } from 'rsi-loop/kit';
import { isAside } from '../../sources/sessions/outcomes-of.js';
import { Places } from './analyzed-places.js';
import { Breakdown } from './breakdown.js';
import { Costs } from './costs.js';
import { SameFailure, type Separated } from './same-failure.js';
import { type Failing, Tally } from './tally.js';

const DAY_MS = 86_400_000;
/**
 * Window lengths, in days. An analyzer divides its window into 168 parts. A month of logs in a window of years would be
 * one part, without a trend. Each length is counted in parallel until the records outgrow it.
 */
const LENGTHS = [7, 90, 1_100, 20_000];
/**
 * Tolerance for clock differences. A record dated further in the future has a wrong date and would end the window
 * there.
 */
const FUTURE_MS = DAY_MS;

export interface SurveyOptions {
  /** Counts only outcomes that ended after this time. Default: everything up to the newest record. */
  readonly sinceMs?: number;
  /** Counts only outcomes that ended before this time. */
  readonly untilMs?: number;
  /** Current time, used with `sinceMs` and to recognise wrong dates. */
  readonly nowMs: number;
}

/** Outcomes of one input, in reading order. */
export interface ReadBatch {
  readonly outcomes: readonly Outcome[];
  readonly path: string;
  /** Time assigned to records without one. */
  readonly undatedMs: number;
}

export interface Counts {
  readonly outcomes: number;
  readonly failures: number;
  /** Outcomes ended by a person or by the end of a session: neither success nor failure. */
  readonly cancelled: number;
  /** Outcomes before `sinceMs`. */
  readonly older: number;
  /** Outcomes after `untilMs`. */
  readonly newer: number;
  /** Outcomes dated in the future. */
  readonly misdated: number;
  /** Tasks that failed because of a call inside them; the call is counted among the failures instead. */
  readonly sameFailure: number;
  /** Outcomes whose record has no time. */
  readonly undated: number;
}

/** Counts what was read and finds what failed most. Memory is bounded for input of any length. */
export class Survey {
  readonly breakdown = new Breakdown();
  readonly places = new Places();
  readonly costs = new Costs();
  readonly #sameFailure = new SameFailure();
  /** Tally of undated outcomes, counted separately as if all had happened at the same moment. */
  readonly #undatedTally = new Tally(DAY_MS);
  #path: string | undefined;
  #undatedMs = Number.NaN;
  readonly #sinceMs: number;
  readonly #nowMs: number;
  readonly #untilMs: number;
  #tallies: readonly Tally[];
  #oldestMs = Number.POSITIVE_INFINITY;
  #newestMs = Number.NEGATIVE_INFINITY;
  readonly #counts = {
    outcomes: 0,
    failures: 0,
    cancelled: 0,
    older: 0,
    newer: 0,
    misdated: 0,
    sameFailure: 0,
    undated: 0,
  };

  constructor({ sinceMs, untilMs, nowMs }: SurveyOptions) {
    this.#sinceMs = sinceMs ?? Number.NEGATIVE_INFINITY;
    this.#nowMs = nowMs;
    this.#untilMs = untilMs ?? nowMs + FUTURE_MS;
    const lengths = sinceMs === undefined ? LENGTHS.map((days) => days * DAY_MS) : [(untilMs ?? nowMs) - sinceMs];
    this.#tallies = lengths.map((lengthMs) => new Tally(lengthMs));
  }

  /** Counts a batch of one input. All batches of one input must be consecutive. */
  absorb({ outcomes, path, undatedMs }: ReadBatch): void {
    if (path !== this.#path) this.end();
    this.#path = path;
    this.#undatedMs = undatedMs;
    this.#take(this.#sameFailure.take(outcomes.filter((outcome) => !isAside(outcome))));
  }

  /** Counts the held-back failures of the last input. */
  end(): void {
    this.#take(this.#sameFailure.flush());
  }

  #take({ counted: outcomes, same }: Separated): void {
    this.#counts.sameFailure += same;
    const counted = outcomes
      .filter((outcome) => this.#count(outcome))
      .map(onItsOwn)
      .sort((one, other) => one.atMs - other.atMs);
    const file = this.#path ?? '';
    for (const outcome of counted) {
      this.breakdown.absorb(outcome);
      this.places.absorb(outcome, file);
      if (!this.#isUndated(outcome)) this.costs.absorb(outcome, file);
    }
    const undated = counted.filter((outcome) => this.#isUndated(outcome));
    this.#undatedTally.absorb(undated.map((outcome) => ({ ...outcome, atMs: 0 })));
    this.#absorbDated(undated.length === 0 ? counted : counted.filter((outcome) => !this.#isUndated(outcome)));
  }

  #isUndated({ atMs }: Outcome): boolean {
    return atMs === this.#undatedMs;
  }

  #absorbDated(counted: readonly Outcome[]): void {
    // The span of the records only grows, so a window that has become too short is never used again.
    const spanMs = this.#newestMs - this.#oldestMs;
    while (this.#tallies.length > 1 && spanMs > (this.#tallies[0]?.lengthMs ?? 0))
      this.#tallies = this.#tallies.slice(1);
    for (const tally of this.#tallies) tally.absorb(counted);
  }

  get counts(): Counts {
    return { ...this.#counts };
  }

  /** True if nothing was read, not even something that was left out. */
  get isEmpty(): boolean {
    const { outcomes, cancelled, older, newer, misdated } = this.#counts;
    return outcomes + cancelled + older + newer + misdated === 0;
  }

  /** Times of the first and last counted outcome; undefined if nothing dated was counted. */
  get reach(): { readonly fromMs: number; readonly toMs: number } | undefined {
    const { outcomes, undated } = this.#counts;
    return outcomes === undated ? undefined : { fromMs: this.#oldestMs, toMs: this.#newestMs };
  }

  /** Returns the failures, the costliest first. Undated ones are marked. */
  failing(): readonly (Failing & { readonly undated: boolean })[] {
    const nowMs = Number.isFinite(this.#sinceMs) ? Math.min(this.#untilMs, this.#nowMs) : this.#newestMs;
    const dated = this.reach === undefined ? [] : (this.#tallies[0]?.failing(nowMs) ?? []);
    const failing = [
      ...dated.map((each) => ({ ...each, undated: false })),
      ...this.#undatedTally.failing(0).map((each) => ({ ...each, undated: true })),
    ];
    return ranking.rankPatterns(failing.map((each) => ({ ...each.pattern, each }))).map(({ each }) => each);
  }

  /** Counts an outcome. Returns false if it is left out of the survey. */
  #count(outcome: Outcome): boolean {
    const counts = this.#counts;
    const leftOut = this.#whyLeftOut(outcome);
    counts[leftOut ?? 'outcomes']++;
    if (leftOut !== undefined) return false;
    if (!outcome.success) counts.failures++;
    if (this.#isUndated(outcome)) counts.undated++;
    else {
      this.#oldestMs = Math.min(this.#oldestMs, outcome.atMs);
      this.#newestMs = Math.max(this.#newestMs, outcome.atMs);
    }
    return true;
  }

  #whyLeftOut({ atMs, issues }: Outcome): 'misdated' | 'older' | 'newer' | 'cancelled' | undefined {
    if (atMs > this.#nowMs + FUTURE_MS) return 'misdated';
    if (atMs < this.#sinceMs) return 'older';
    if (atMs > this.#untilMs) return 'newer';
    return issues.includes('cancelled') ? 'cancelled' : undefined;
  }
}

/** Returns the outcome without its parent, so that a sub-agent's call counts like any other. */
function onItsOwn(outcome: Outcome): Outcome {
  if (outcome.parent === undefined) return outcome;
  const { parent: _, ...rest } = outcome;
  return rest;
}
