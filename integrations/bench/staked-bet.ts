import { betting } from 'rsi-loop/kit';

/**
 * Stakes of the bets, as shares of the capital. Their mean is the evidence, so the middle one has three of five parts. The best
 * stake is the mean difference divided by the mean of its squares: 0.2 for a gain of 5 points if a quarter of the pairs
 * differ, 0.36 for 9, and 0.7 for 18. (`docs/decisions/0477-fewer-stakes.md`)
 */
export const STAKES = [0.2, 0.5, 0.5, 0.5, 0.8] as const;
/** Highest share of the capital that a pair may take. */
export const HIGHEST_LOSS = 0.95;
/** Part of the capital that is bet until the last pair. It finds small gains (`docs/decisions/0581-verdicts-of-benchmarks.md`). */
const LAST_SHARE = 0.5;
/** Variance of a value that is supposed at the start, and the values it counts for: a quarter of the pairs differ. */
const SUPPOSED = { variance: 0.25, weight: 20 } as const;
const SMALLEST_PRICE = 1e-9;
/** The capital reaches what is needed in spite of rounding. */
const ROUNDING = 1 + 1e-9;
/** Least factor of the stakes, so that small values also reach what is needed. */
const LEAST_SCALE = 0.25;

/** Bounds of a value that are known before its draw. */
interface Range {
  /** It is at least minus this. */
  readonly furthest: number;
  /** Usual value of a pair that is won. */
  readonly won: number;
}

/**
 * Bet that a mean is above 0. Its capital starts at 1, and is a non-negative martingale if the mean is 0, because stakes depend on
 * earlier values only. With `maxPairs`, half of the capital follows an option that pays if the sum is high enough at any time
 * up to the last pair (a one-touch option on a normal sum), and stakes are lowered to win no more than `needed`.
 */
export class StakedBet {
  readonly #needed: number;
  readonly #maxPairs: number | undefined;
  /** Logs of the capitals: one for each stake, then that of the option. */
  readonly #logs: number[];
  #pairs = 0;
  #squares = SUPPOSED.variance * SUPPOSED.weight;

  constructor({ needed, maxPairs }: { readonly needed: number; readonly maxPairs?: number | undefined }) {
    this.#needed = needed;
    this.#maxPairs = maxPairs;
    const share = maxPairs === undefined ? 0 : LAST_SHARE;
    this.#logs = STAKES.map(() => Math.log((1 - share) / STAKES.length));
    if (share > 0) this.#logs.push(Math.log(share));
  }

  /** Log of the capital. */
  get log(): number {
    return betting.logMean(this.#logs) + Math.log(this.#logs.length);
  }

  bet(value: number, range: Range): void {
    const stakes = this.#stakes(range.furthest);
    const scale = this.#scale(stakes, range.won);
    for (const [index, stake] of stakes.entries())
      this.#logs[index] = (this.#logs[index] ?? 0) + Math.log1p(scale * stake * value);
    this.#squares += value * value;
    this.#pairs++;
  }

  #stakes(furthest: number): readonly number[] {
    const wanted = this.#maxPairs === undefined ? STAKES : [...STAKES, this.#optionStake(this.#maxPairs)];
    return wanted.map((stake) => Math.min(stake, HIGHEST_LOSS / furthest));
  }

  /** Returns the stake of the option: its price is the chance that a normal sum with this variance reaches the payoff. */
  #optionStake(maxPairs: number): number {
    const left = maxPairs - this.#pairs;
    if (left <= 0) return 0;
    const capital = Math.exp(this.#logs[STAKES.length] ?? 0);
    const price = Math.min(1, Math.max(SMALLEST_PRICE, capital / this.#needed));
    const deviation = Math.sqrt((left * this.#squares) / (this.#pairs + SUPPOSED.weight));
    return (2 * betting.normalDensity(betting.normalQuantile(price / 2))) / price / deviation;
  }

  /** Returns the factor of all stakes with which a pair that is won reaches what is needed, at most 1. */
  #scale(stakes: readonly number[], won: number): number {
    if (this.#maxPairs === undefined) return 1;
    const missing = this.#needed * ROUNDING - Math.exp(this.log);
    if (missing <= 0) return 0;
    const gain = stakes.reduce((sum, stake, index) => sum + stake * Math.exp(this.#logs[index] ?? 0), 0) * won;
    return Math.min(1, Math.max(LEAST_SCALE, missing / gain));
  }
}
