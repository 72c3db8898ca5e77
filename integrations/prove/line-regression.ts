/** Prior mean and variance of the intercept: most studies fail in 5 to 30 % of the tasks. */
const FIRST_LOG_ODDS = -1.8;
const INTERCEPT_VARIANCE = 2;
/** Variance that the intercept gains with each session, so that it follows a rate that drifts. */
const DRIFT = 0.002;

/** Log odds of failure that a regression expects of a session, and their variance. */
export interface RegressionPrediction {
  readonly logOdds: number;
  readonly variance: number;
  /** Returns the prediction without one line's part. Multiply log odds by `shrink` to allow for their uncertainty. */
  without(line: number): { readonly logOdds: number; readonly shrink: number };
}

/** Running logistic regression of failures on the lines of a session (Bayesian, one Newton step for each session). */
export class LineRegression {
  readonly #mean: Float64Array;
  readonly #covariance: readonly Float64Array[];
  readonly #gain: Float64Array;

  /** `lineVariance` is the prior variance of a line's effect on the log odds: a small one expects few effects. */
  constructor(lines: number, lineVariance: number, firstLogOdds = FIRST_LOG_ODDS) {
    this.#mean = new Float64Array(lines + 1);
    this.#mean[lines] = firstLogOdds;
    this.#covariance = Array.from({ length: lines + 1 }, (_, row) => {
      const values = new Float64Array(lines + 1);
      values[row] = row === lines ? INTERCEPT_VARIANCE : lineVariance;
      return values;
    });
    this.#gain = new Float64Array(lines + 1);
  }

  /** Predicts a session. `features` holds +0.5 for a line that is in, -0.5 for one that is out, and a 1 at the end. */
  predict(features: Float64Array): RegressionPrediction {
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

  /** Learns from `tasks` tasks of a session, each with this weight. Call it after all bets, with its prediction. */
  learn(
    features: Float64Array,
    { logOdds, variance }: RegressionPrediction,
    { tasks, failures, weight }: { readonly tasks: number; readonly failures: number; readonly weight: number },
  ): void {
    const rate = probability(logOdds);
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
}

export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Returns the factor by which uncertain log odds shrink (MacKay 1992). */
export function shrinkBy(variance: number): number {
  return 1 / Math.sqrt(1 + (Math.PI * variance) / 8);
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}
