/** Bets on high ranks: with probability `part` under no change, a session is among the highest; `odds` bets more on it. */
const BETS: readonly { readonly part: number; readonly odds: number }[] = [
  { part: 0.05, odds: 0.25 },
  { part: 0.15, odds: 0.45 },
  { part: 0.3, odds: 0.7 },
  { part: 0.5, odds: 0.8 },
];

/**
 * Sequential test whether the newest sessions fail more than earlier ones. Each session gets the rank of its score among
 * all sessions so far, ties broken at random. While sessions are exchangeable, these ranks are independent and uniform
 * (conformal p-values, Vovk et al. 2021), so each bet has mean 1. The Shiryaev-Roberts sum of the bets grows by 1 a session
 * on average: in n sessions it passes a limit at most n / limit times on average, however often it is read.
 */
export class RankDetector {
  /** Scores so far, ascending. */
  readonly #scores: number[] = [];
  readonly #sums = BETS.map(() => 0);
  /** Logs of the bets since the best beginning of a change, to place it. */
  #rise = 0;
  #sinceRise = 0;

  /** Adds a session. `luck` is a random number of 0 or more, below 1, that does not depend on the scores. */
  add(score: number, luck: number): void {
    const below = firstAbove(this.#scores, score, false);
    const upTo = firstAbove(this.#scores, score, true);
    const above = this.#scores.length - upTo;
    const rank = (above + luck * (upTo - below + 1)) / (this.#scores.length + 1);
    this.#scores.splice(upTo, 0, score);
    let mean = 0;
    BETS.forEach(({ part, odds }, index) => {
      const factor = rank <= part ? odds / part : (1 - odds) / (1 - part);
      this.#sums[index] = ((this.#sums[index] ?? 0) + 1) * factor;
      mean += Math.log(factor) / BETS.length;
    });
    this.#sinceRise = this.#rise > 0 ? this.#sinceRise + 1 : 1;
    this.#rise = Math.max(0, this.#rise + mean);
  }

  /** Mean of the sums. */
  get value(): number {
    return this.#sums.reduce((sum, value) => sum + value, 0) / BETS.length;
  }

  /** Number of newest sessions that most likely belong to the change. */
  get length(): number {
    return this.#sinceRise;
  }
}

/** Returns the first index whose value is above `score`, or at least `score`. `values` ascend. */
function firstAbove(values: readonly number[], score: number, isStrict: boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle] ?? 0;
    if (isStrict ? value <= score : value < score) low = middle + 1;
    else high = middle;
  }
  return low;
}
