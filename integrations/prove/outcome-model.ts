/** Prior of a line's effect on the log odds of failure, and of the intercept. */
const LINE_VARIANCE = 0.25;
const INTERCEPT_VARIANCE = 4;
const FIRST_LOG_ODDS = -0.85;
/** Variance that the intercept gains with each session, so that it follows a rate that drifts. */
const DRIFT = 0.002;
/** Prior of the correlation inside a session, and its weight in pairs of tasks. */
const FIRST_CORRELATION = 0.2;
const PAIRS_OF_PRIOR = 20;

/**
 * Running logistic regression of a session's failures on the lines that it had (Bayesian, one Newton step for each
 * session). A bet uses it as known before the session. A poor model slows the bets down and does not bias them.
 */
export class OutcomeModel {
  readonly #mean: Float64Array;
  readonly #covariance: readonly Float64Array[];
  readonly #gain: Float64Array;
  #observedPairs = FIRST_CORRELATION * PAIRS_OF_PRIOR;
  #expectedPairs = PAIRS_OF_PRIOR;

  constructor(lines: number) {
    this.#mean = new Float64Array(lines + 1);
    this.#mean[lines] = FIRST_LOG_ODDS;
    this.#covariance = Array.from({ length: lines + 1 }, (_, row) => {
      const values = new Float64Array(lines + 1);
      values[row] = row === lines ? INTERCEPT_VARIANCE : LINE_VARIANCE;
      return values;
    });
    this.#gain = new Float64Array(lines + 1);
  }

  /** Estimated correlation between two tasks of a session, 0 to 1. */
  get correlation(): number {
    return Math.min(1, Math.max(0, this.#observedPairs / this.#expectedPairs));
  }

  /** Returns the weight of each of `tasks` tasks of one session: 1 if they are independent. */
  weightOf(tasks: number): number {
    return 1 / (1 + (tasks - 1) * this.correlation);
  }

  /**
   * Returns the log odds of failure without one line's part, and their variance. `features` holds +0.5 for a line that
   * is in, -0.5 for one that is out.
   */
  predict(features: Float64Array): SessionPrediction {
    const size = features.length;
    const spread = this.#gain;
    let logOdds = 0;
    let variance = 0;
    for (let row = 0; row < size; row++) {
      const values = this.#covariance[row] as Float64Array; // a row for each feature
      let sum = 0;
      for (let column = 0; column < size; column++) sum += at(values, column) * at(features, column);
      spread[row] = sum;
      logOdds += at(this.#mean, row) * at(features, row);
      variance += sum * at(features, row);
    }
    const without = (line: number) => {
      const feature = at(features, line);
      const own = at(this.#covariance[line] as Float64Array, line); // as above
      const rest = variance - 2 * feature * at(spread, line) + feature * feature * own;
      return { logOdds: logOdds - at(this.#mean, line) * feature, shrink: shrinkBy(Math.max(0, rest)) };
    };
    return { logOdds, variance, without };
  }

  /** Learns from a session. Call it after all bets on the session, with its prediction. */
  learn(features: Float64Array, { logOdds, variance }: SessionPrediction, tasks: number, failures: number): void {
    this.#learnCorrelation(probability(logOdds * shrinkBy(variance)), tasks, failures);
    const rate = probability(logOdds);
    const weight = this.weightOf(tasks);
    const information = weight * tasks * rate * (1 - rate);
    const scale = 1 + information * variance;
    const step = (weight * (failures - tasks * rate)) / scale;
    const gain = this.#gain;
    for (let row = 0; row < features.length; row++) {
      this.#mean[row] = at(this.#mean, row) + at(gain, row) * step;
      const factor = (information * at(gain, row)) / scale;
      const values = this.#covariance[row] as Float64Array; // as above
      for (let column = 0; column < features.length; column++)
        values[column] = at(values, column) - factor * at(gain, column);
    }
    const last = features.length - 1;
    const own = this.#covariance[last] as Float64Array; // as above
    own[last] = Math.min(INTERCEPT_VARIANCE, at(own, last) + DRIFT);
  }

  #learnCorrelation(rate: number, tasks: number, failures: number): void {
    if (tasks < 2) return;
    const single = rate * (1 - rate);
    if (single < 0.001) return;
    // Long sessions would decide alone.
    const pairs = tasks - 1;
    this.#observedPairs += ((failures - tasks * rate) ** 2 / tasks - single) / single;
    this.#expectedPairs += pairs;
  }
}

export interface SessionPrediction {
  readonly logOdds: number;
  readonly variance: number;
  /** Returns the prediction without one line's part. Multiply log odds by `shrink` to allow for their uncertainty. */
  without(line: number): { readonly logOdds: number; readonly shrink: number };
}

export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Returns the factor by which uncertain log odds shrink (MacKay 1992). */
function shrinkBy(variance: number): number {
  return 1 / Math.sqrt(1 + (Math.PI * variance) / 8);
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
