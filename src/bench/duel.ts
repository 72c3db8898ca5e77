import type { ProblemResult } from '../contract/bench-run.js';
import type { Comparison, Conclusion } from './comparison.js';
import { GuardBets, type GuardRatios } from './guards.js';
import { PairedBet } from './paired-bet.js';
import { findRegressions, ProblemTallies } from './regressions.js';

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
  /** Problems counted so far: a cached answer to one of them says nothing new. */
  readonly #seen = new Set<string>();
  #baseline = 0;
  #candidate = 0;
  #isProven = false;
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

  /** Whether the gain is shown, and only regressions can still speak against the candidate. */
  get isProven(): boolean {
    return this.#isProven && !this.#result;
  }

  /** Counts new runs of both versions on one problem. */
  count(baseline: ProblemResult, candidate: ProblemResult): void {
    if (this.#result || this.#isProven || !this.#isNew(baseline, candidate)) return;
    this.#baseline += baseline.score;
    this.#candidate += candidate.score;
    this.#bet.add(candidate.score - baseline.score);
    if (!baseline.cached && !candidate.cached) this.#guards.add(baseline, candidate);
    this.#tallies.add(baseline, candidate);
    const conclusion = this.#conclusion();
    if (conclusion) this.#result = this.end(conclusion);
  }

  /** Returns whether another pair of this problem could show a regression. */
  mayRegress(problemId: string): boolean {
    return this.#tallies.isOpen(problemId);
  }

  /** Counts a pair that only looks for a regression. Returns false if it says nothing new. */
  recheck(baseline: ProblemResult, candidate: ProblemResult): boolean {
    if (!this.#isNew(baseline, candidate)) return false;
    this.#tallies.add(baseline, candidate);
    return true;
  }

  /** Ends a proven duel: better, unless a problem regressed. */
  settle(problemIds: readonly string[]): void {
    const regressions = findRegressions(this.#tallies);
    const unchecked = problemIds.filter((id) => this.#tallies.isOpen(id)).length;
    this.#result =
      regressions.length > 0
        ? this.end({ kind: 'worse', why: 'regression', regressions })
        : this.end({ kind: 'better', why: 'mean', ...(unchecked > 0 && { unchecked }) });
  }

  /** Returns the comparison as it is, with this conclusion. */
  end(conclusion: Conclusion): Comparison {
    const { evidence } = this.#bet;
    const pairs = Math.max(1, evidence.pairs);
    return {
      ...conclusion,
      candidate: this.#options.candidate,
      evidence,
      needed: this.#options.needed,
      gain: this.#bet.gain(),
      scores: { baseline: this.#baseline / pairs, candidate: this.#candidate / pairs },
    };
  }

  #conclusion(): Conclusion | undefined {
    const { fired } = this.#guards;
    if (fired) return { kind: 'worse', why: 'guard', guard: fired };
    const { pairs, eBetter, eWorse, eNoGain } = this.#bet.evidence;
    if (eWorse >= WORSE_NEEDED) return { kind: 'worse', why: 'mean' };
    if (eBetter >= this.#options.needed) {
      // A candidate that seems to cost or take too much goes on until that is known.
      this.#isProven = !this.#guards.isSuspicious;
      return undefined;
    }
    // A candidate that looks worse goes on until that is shown.
    const looksWorse = this.#candidate - this.#baseline < -this.#options.usefulGain * pairs;
    return eNoGain >= NO_GAIN_NEEDED && !looksWorse ? { kind: 'no-useful-difference', why: 'mean' } : undefined;
  }

  #isNew(baseline: ProblemResult, candidate: ProblemResult): boolean {
    if ((baseline.cached || candidate.cached) && this.#seen.has(candidate.problemId)) return false;
    this.#seen.add(candidate.problemId);
    return true;
  }
}
