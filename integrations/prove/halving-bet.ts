/** Stakes, in units of the one that grows fastest if the line does nothing. */
const STAKES: readonly number[] = [1, 2.5];
/** Part of a rate that a line prevents if it halves the failures, over the mean of the rates with and without it. */
const GAIN_OF_HALVING = 2 / 3;
/** Evidence at which a line looks useless: a line that halves the failures gets there with probability at most 1/10. */
const NEEDED = 10;
const LARGEST_LOG = 600;
/** Largest part of the capital that one session may lose. */
const LARGEST_LOSS = 0.7;
/** Mean square of a session's score and mean failure rate before the first session, and their weight in sessions. */
const FIRST = { square: 0.5, rate: 0.3, weight: 5 };

/**
 * Bet that a line prevents less than halving the failures would. Each session scores the gain of the line without bias,
 * because a coin decided about it (inverse probability weights), and the stake is fixed before the session. The capital
 * of a line whose gain is at least two thirds of that rate in each session is a supermartingale that starts at 1.
 */
export class HalvingBet {
  readonly #logs = STAKES.map(() => 0);
  #squares = FIRST.square * FIRST.weight;
  #rates = FIRST.rate * FIRST.weight;
  #weight = FIRST.weight;
  #sessions = 0;

  add(isIn: boolean, share: number, rate: number, predicted: number): void {
    const gain = (isIn ? -1 / (1 - share) : 1 / share) * (rate - predicted);
    // The lower of the two, because lines that help lower the rate during the study.
    const wanted = GAIN_OF_HALVING * Math.min(predicted, this.#rates / this.#weight);
    const missing = wanted - gain;
    const largestGain = Math.max(1 / share, 1 / (1 - share)) * Math.max(predicted, 1 - predicted);
    const limit = LARGEST_LOSS / Math.max(1e-9, largestGain - wanted);
    STAKES.forEach((stake, index) => {
      const part = Math.min((stake * wanted * this.#weight) / this.#squares, limit);
      this.#logs[index] = (this.#logs[index] ?? 0) + Math.log1p(part * missing);
    });
    this.#squares += missing * missing;
    this.#rates += rate;
    this.#weight++;
    this.#sessions++;
  }

  /** Whether the evidence says that the line does not halve the failures. */
  get looksUseless(): boolean {
    const capital = this.#logs.reduce((sum, log) => sum + Math.exp(Math.min(log, LARGEST_LOG)), 0) / STAKES.length;
    return this.#sessions > 0 && capital >= NEEDED;
  }
}
