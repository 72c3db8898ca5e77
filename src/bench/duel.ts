import type { ProblemResult } from '../contract/bench-run.js';
import { GuardBets, type GuardName, type GuardRatios } from './guards.js';
import { type Gain, PairedBet, type PairedEvidence } from './paired-bet.js';
import { findRegressions, ProblemTallies, type Regression } from './regressions.js';

/** Result of a comparison of a candidate with the baseline. */
export interface Comparison {
  readonly kind: 'better' | 'worse' | 'no-useful-difference' | 'inconclusive';
  /** `regression`: problems that the baseline solved every time and the candidate never. */
  readonly why: 'mean' | 'regression' | 'guard' | 'max-pairs' | 'max-usd' | 'stopped' | 'other-won';
  /** Name of the candidate. */
  readonly candidate: string;
  readonly evidence: PairedEvidence;
  /** e-value that `better` needed: 1 / alpha, times the number of candidates. */
  readonly needed: number;
  readonly gain: Gain;
  /** Mean scores over the pairs, 0 to 1. */
  readonly scores: { readonly baseline: number; readonly candidate: number };
  readonly regressions: readonly Regression[];
  /** Guard that fired. */
  readonly guard?: GuardName;
}

export interface DuelOptions {
  readonly candidate: string;
  /** e-value that proves the candidate better. */
  readonly needed: number;
  readonly usefulGain: number;
  readonly guards?: GuardRatios;
}

/** Evidence that ends a comparison with `worse`, and with `no-useful-difference`. */
const WORSE_NEEDED = 20;
const NO_GAIN_NEEDED = 10;

/** One candidate against the baseline: counts pairs in the order of their draw, until the result is known. */
export class Duel {
  readonly #options: DuelOptions;
  readonly #bet: PairedBet;
  readonly #guards: GuardBets;
  readonly #tallies = new ProblemTallies();
  /** Problems whose cached answers were counted: a repeat says nothing new. */
  readonly #cached = new Set<string>();
  #baseline = 0;
  #candidate = 0;
  #result: Comparison | undefined;

  constructor(options: DuelOptions) {
    this.#options = options;
    this.#bet = new PairedBet(options.usefulGain);
    this.#guards = new GuardBets(options.guards);
  }

  /** The result, once it is known. */
  get result(): Comparison | undefined {
    return this.#result;
  }

  /** Counts new runs of both versions on one problem. */
  count(baseline: ProblemResult, candidate: ProblemResult): void {
    if (this.#result || !this.#isNew(baseline, candidate)) return;
    this.#baseline += baseline.score;
    this.#candidate += candidate.score;
    this.#bet.add(candidate.score - baseline.score);
    this.#guards.add(baseline, candidate);
    this.#tallies.add(baseline, candidate);
    const end = this.#conclusion();
    if (end) this.#result = this.end(end.kind, end.why);
  }

  /** Returns the comparison as it is, with this conclusion. */
  end(kind: Comparison['kind'], why: Comparison['why']): Comparison {
    const { evidence } = this.#bet;
    const { fired } = this.#guards;
    const mean = (sum: number) => (evidence.pairs === 0 ? 0 : sum / evidence.pairs);
    return {
      kind,
      why,
      candidate: this.#options.candidate,
      evidence,
      needed: this.#options.needed,
      gain: this.#bet.gain(),
      scores: { baseline: mean(this.#baseline), candidate: mean(this.#candidate) },
      regressions: findRegressions(this.#tallies),
      ...(fired && { guard: fired }),
    };
  }

  #conclusion(): Pick<Comparison, 'kind' | 'why'> | undefined {
    const { pairs, eBetter, eWorse, eNoGain } = this.#bet.evidence;
    if (this.#guards.fired) return { kind: 'worse', why: 'guard' };
    if (eWorse >= WORSE_NEEDED) return { kind: 'worse', why: 'mean' };
    if (eBetter >= this.#options.needed) {
      const hasRegressed = findRegressions(this.#tallies).length > 0;
      return hasRegressed ? { kind: 'worse', why: 'regression' } : { kind: 'better', why: 'mean' };
    }
    // A candidate that looks worse goes on until that is shown.
    const looksWorse = this.#candidate - this.#baseline < -this.#options.usefulGain * pairs;
    return eNoGain >= NO_GAIN_NEEDED && !looksWorse ? { kind: 'no-useful-difference', why: 'mean' } : undefined;
  }

  #isNew(baseline: ProblemResult, candidate: ProblemResult): boolean {
    if (!baseline.cached && !candidate.cached) return true;
    if (this.#cached.has(candidate.problemId)) return false;
    this.#cached.add(candidate.problemId);
    return true;
  }
}
