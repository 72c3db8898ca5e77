import type { Outcome } from 'rsi-loop';
import { Breakdown } from './breakdown.js';
import { type Failing, Tally } from './tally.js';

const DAY_MS = 86_400_000;
/**
 * How far back counts may reach, in days. An analyzer sees its window in 168 parts, so a month of logs in a window of
 * years would be one part, without a trend; each length is counted side by side until the records outgrow it.
 */
const LENGTHS = [7, 90, 1_100, 20_000];
/** Clocks of machines differ; what is dated later than this beyond now is a wrong date and would end the window there. */
const FUTURE_MS = DAY_MS;

export interface SurveyOptions {
  /** Only what ended after this. Without it, everything up to the newest record. */
  readonly sinceMs?: number;
  /** The present, for `sinceMs` and to recognise wrong dates. */
  readonly nowMs: number;
}

export interface Counts {
  readonly outcomes: number;
  readonly failures: number;
  /** Ended by a person or by the end of a session: neither success nor failure. */
  readonly cancelled: number;
  /** Before `sinceMs`. */
  readonly older: number;
  /** Dated in the future. */
  readonly misdated: number;
}

/** Counts what was read, in bounded memory whatever its length, and tells what failed most. */
export class Survey {
  readonly breakdown = new Breakdown();
  readonly #sinceMs: number;
  readonly #nowMs: number;
  #tallies: readonly Tally[];
  #oldestMs = Number.POSITIVE_INFINITY;
  #newestMs = Number.NEGATIVE_INFINITY;
  #outcomes = 0;
  #failures = 0;
  #cancelled = 0;
  #older = 0;
  #misdated = 0;

  constructor({ sinceMs, nowMs }: SurveyOptions) {
    this.#sinceMs = sinceMs ?? Number.NEGATIVE_INFINITY;
    this.#nowMs = nowMs;
    const lengths = sinceMs === undefined ? LENGTHS.map((days) => days * DAY_MS) : [nowMs - sinceMs];
    this.#tallies = lengths.map((lengthMs) => new Tally(lengthMs));
  }

  absorb(outcomes: readonly Outcome[]): void {
    const counted = outcomes
      .filter((outcome) => this.#count(outcome))
      .map(onItsOwn)
      .sort((one, other) => one.atMs - other.atMs);
    for (const outcome of counted) this.breakdown.absorb(outcome);
    // The span of what was read only grows: a window that has become too short will not be asked.
    const spanMs = this.#newestMs - this.#oldestMs;
    while (this.#tallies.length > 1 && spanMs > (this.#tallies[0]?.lengthMs ?? 0))
      this.#tallies = this.#tallies.slice(1);
    for (const tally of this.#tallies) tally.absorb(counted);
  }

  get counts(): Counts {
    return {
      outcomes: this.#outcomes,
      failures: this.#failures,
      cancelled: this.#cancelled,
      older: this.#older,
      misdated: this.#misdated,
    };
  }

  /** Nothing was read at all, not even something to leave out. */
  get isEmpty(): boolean {
    return this.#outcomes + this.#cancelled + this.#older + this.#misdated === 0;
  }

  /** First and last of what was counted; undefined when nothing was. */
  get reach(): { readonly fromMs: number; readonly toMs: number } | undefined {
    return this.#outcomes === 0 ? undefined : { fromMs: this.#oldestMs, toMs: this.#newestMs };
  }

  /** What fails most: recurring first, then by impact. */
  failing(): readonly Failing[] {
    return this.#tallies[0]?.failing(Number.isFinite(this.#sinceMs) ? this.#nowMs : this.#newestMs) ?? [];
  }

  #count(outcome: Outcome): boolean {
    if (outcome.atMs > this.#nowMs + FUTURE_MS) this.#misdated++;
    else if (outcome.atMs < this.#sinceMs) this.#older++;
    else if (outcome.issues.includes('cancelled')) this.#cancelled++;
    else {
      this.#outcomes++;
      if (!outcome.success) this.#failures++;
      this.#oldestMs = Math.min(this.#oldestMs, outcome.atMs);
      this.#newestMs = Math.max(this.#newestMs, outcome.atMs);
      return true;
    }
    return false;
  }
}

/** A call is counted as what it is, whether a sub-agent made it or not. */
function onItsOwn(outcome: Outcome): Outcome {
  if (outcome.parent === undefined) return outcome;
  const { parent: _, ...rest } = outcome;
  return rest;
}
