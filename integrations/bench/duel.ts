import type { ProblemResult } from './bench-run.js';
import type { Comparison, Conclusion } from './comparison.js';
import { ExpectedDifference } from './expected-difference.js';
import { GuardBets, type GuardRatios } from './guards.js';
import { ProblemTallies } from './losses.js';
import { meanResult } from './mean-result.js';
import { PairedBet } from './paired-bet.js';

export interface DuelOptions {
  readonly candidate: string;
  /** Number of problems of the benchmark. */
  readonly problems: number;
  /** Returns the chance that a draw has a problem, or a group of them. */
  readonly shareOf: (unit: string) => number;
  /** e-value that proves the candidate better, or not worse if that is the question. */
  readonly needed: number;
  readonly usefulGain: number;
  readonly maxPairs: number;
  readonly notWorseBy?: number;
  readonly betterBy?: number;
  readonly endsWithoutGain?: boolean;
  readonly losses?: 'report' | 'block';
  readonly guards?: GuardRatios;
}

/** Evidence that excludes no loss, a loss of `usefulGain`, and a gain of `usefulGain`. */
const WORSE_NEEDED = 20;
const NO_LOSS_NEEDED = 20;
const NO_GAIN_NEEDED = 10;

type Proven = Extract<Conclusion, { kind: 'better' | 'not-worse' }>;

/** One candidate against the baseline: counts pairs in the order of their draw, until the result is known. */
export class Duel {
  readonly #options: DuelOptions;
  readonly #bet: PairedBet;
  readonly #guards: GuardBets;
  readonly #tallies: ProblemTallies;
  readonly #expected: ExpectedDifference;
  /** Problems counted so far: a cached answer to one of them says nothing new. */
  readonly #seen = new Set<string>();
  #baseline = 0;
  #candidate = 0;
  /** Whether a cached answer was left out. The counted problems are then no draw of equal probability. */
  #leftOut = false;
  #proven: Proven | undefined;
  #result: Comparison | undefined;

  constructor(options: DuelOptions) {
    this.#options = options;
    const { usefulGain, notWorseBy, betterBy = 0, maxPairs, problems, shareOf, guards, needed } = options;
    this.#bet = new PairedBet(usefulGain, {
      maxPairs,
      betterBy,
      needed,
      ...(notWorseBy !== undefined && { notWorseBy }),
    });
    this.#guards = new GuardBets(guards);
    this.#tallies = new ProblemTallies(problems);
    this.#expected = new ExpectedDifference(shareOf);
  }

  /** The result, once it is known. */
  get result(): Comparison | undefined {
    return this.#result;
  }

  /** Mean gain so far, without what was expected of the problems. */
  get gain(): number {
    return this.#bet.mean;
  }

  /** Whether the mean is decided for the candidate, and only lost problems are looked for. */
  get isProven(): boolean {
    return this.#proven !== undefined && !this.#result;
  }

  /** Runs of each version that show that a problem is lost. */
  get runsNeeded(): number {
    return this.#tallies.runsNeeded;
  }

  /** Counts new runs of both versions on one problem, or on those of a group. These are one pair. */
  count(unit: string, baselines: readonly ProblemResult[], candidates: readonly ProblemResult[]): void {
    if (this.#result || this.#proven) return;
    const [baseline, candidate] = [meanResult(baselines, unit), meanResult(candidates, unit)];
    if (!this.#isNew(baseline, candidate)) {
      this.#leftOut = true;
      return;
    }
    this.#baseline += baseline.score;
    this.#candidate += candidate.score;
    const difference = candidate.score - baseline.score;
    this.#bet.add(difference, 1, this.#leftOut ? undefined : this.#expected.of(unit));
    this.#expected.learn(unit, difference);
    if (!baseline.cached && !candidate.cached) this.#guards.add(baseline, candidate);
    for (const [index, result] of candidates.entries()) this.#tallies.add(baselines[index] ?? baseline, result);
    const conclusion = this.#conclusion();
    if (conclusion?.kind === 'better' || conclusion?.kind === 'not-worse') this.#proven = conclusion;
    else if (conclusion) this.#result = this.end(conclusion);
  }

  /** Returns whether another pair of this problem could show that it is lost. */
  mayBeLost(problemId: string): boolean {
    return this.#tallies.isOpen(problemId);
  }

  /** Counts a pair that only looks for a lost problem. Returns false if it says nothing new. */
  recheck(baseline: ProblemResult, candidate: ProblemResult): boolean {
    if (!this.#isNew(baseline, candidate)) return false;
    this.#tallies.add(baseline, candidate);
    return true;
  }

  /** Ends a proven duel, with the problems that are lost. */
  settle(problemIds: readonly string[]): void {
    if (!this.#proven) return;
    const { losses: loses } = this.#tallies;
    const unchecked = problemIds.filter((id) => this.#tallies.isOpen(id)).length;
    const isBlocked = loses.length > 0 && this.#options.losses === 'block';
    this.#result = this.end(
      isBlocked
        ? { kind: 'worse', why: 'losses', loses }
        : { ...this.#proven, ...(loses.length > 0 && { loses }), ...(unchecked > 0 && { unchecked }) },
    );
  }

  /** Returns the comparison as it is, with this conclusion. */
  end(conclusion: Conclusion): Comparison {
    const { evidence } = this.#bet;
    const { candidate, needed, notWorseBy } = this.#options;
    const pairs = Math.max(1, evidence.pairs);
    return {
      ...conclusion,
      candidate,
      evidence,
      needed,
      gain: this.#bet.gain(),
      scores: { baseline: this.#baseline / pairs, candidate: this.#candidate / pairs },
      ...(notWorseBy !== undefined && { notWorseBy }),
    };
  }

  #conclusion(): Conclusion | undefined {
    const { fired } = this.#guards;
    if (fired) return { kind: 'worse', why: 'guard', guard: fired };
    const { eBetter, eWorse, eNotWorse } = this.#bet.evidence;
    const { needed, notWorseBy, betterBy: by } = this.#options;
    if (eWorse >= WORSE_NEEDED) return { kind: 'worse', why: 'mean' };
    // A candidate that seems to cost or take too much goes on until that is known.
    const isFree = !this.#guards.isSuspicious;
    if (eBetter >= needed) return isFree ? { kind: 'better', why: 'mean', ...(by && { by }) } : undefined;
    if (notWorseBy === undefined) return isFree ? this.#withoutGain() : undefined;
    return eNotWorse >= needed && isFree ? { kind: 'not-worse', why: 'mean', by: notWorseBy } : undefined;
  }

  /** Returns the conclusion if a useful gain is excluded, and a loss as well unless it was not asked for. */
  #withoutGain(): Conclusion | undefined {
    const { pairs, eNoGain, eNotWorse } = this.#bet.evidence;
    const { usefulGain, endsWithoutGain } = this.#options;
    if (eNoGain < NO_GAIN_NEEDED) return undefined;
    if (eNotWorse >= NO_LOSS_NEEDED)
      return { kind: 'not-worse', why: 'mean', by: usefulGain, gainsLessThan: usefulGain };
    const looksWorse = this.#candidate - this.#baseline < -usefulGain * pairs;
    return endsWithoutGain && !looksWorse ? { kind: 'unknown', why: 'no-useful-gain' } : undefined;
  }

  #isNew(baseline: ProblemResult, candidate: ProblemResult): boolean {
    if ((baseline.cached || candidate.cached) && this.#seen.has(candidate.problemId)) return false;
    this.#seen.add(candidate.problemId);
    return true;
  }
}
