import { LineRegression, probability, type RegressionPrediction, shrinkBy } from './line-regression.js';

/** Prior variances of a line's effect on the log odds: almost no line has one, some have a small one, many have one. */
const LINE_VARIANCES: readonly number[] = [0.01, 0.06, 0.25];
/** Part of the weights that is shared out again after each session, so that none vanishes. */
const SHARED = 0.001;
/** Prior of the correlation inside a session, and its weight in pairs of tasks. */
const FIRST_CORRELATION = 0.2;
const PAIRS_OF_PRIOR = 20;
/** No failure is certain, and none is impossible. */
const LEAST_RATE = 0.002;

/** Prediction of a session by the mean of all regressions. */
export interface SessionPrediction {
  readonly logOdds: number;
  readonly each: readonly RegressionPrediction[];
  /** Returns the prediction without one line's part. Multiply log odds by `shrink` to allow for their uncertainty. */
  without(line: number): { readonly logOdds: number; readonly shrink: number };
}

/**
 * Mean of regressions of a session's failures on the lines that it had. The regressions differ in how many lines they
 * expect to have an effect, and those that predicted earlier sessions better weigh more. A bet uses the prediction made
 * before the session. A poor model slows the bets down and does not bias them.
 */
export class OutcomeModel {
  readonly #regressions: readonly LineRegression[];
  #weights = LINE_VARIANCES.map(() => 1 / LINE_VARIANCES.length);
  #observedPairs = FIRST_CORRELATION * PAIRS_OF_PRIOR;
  #expectedPairs = PAIRS_OF_PRIOR;

  /** `firstLogOdds`: expected log odds before the first session. */
  constructor(lines: number, firstLogOdds?: number) {
    this.#regressions = LINE_VARIANCES.map((variance) => new LineRegression(lines, variance, firstLogOdds));
  }

  /** Returns the weight of each of `tasks` tasks of one session: 1 if they are independent. */
  weightOf(tasks: number): number {
    const correlation = Math.min(1, Math.max(0, this.#observedPairs / this.#expectedPairs));
    return 1 / (1 + (tasks - 1) * correlation);
  }

  /** Predicts a session from its features; see `LineRegression`. */
  predict(features: Float64Array): SessionPrediction {
    const each = this.#regressions.map((regression) => regression.predict(features));
    const weights = this.#weights;
    return {
      logOdds: each.reduce((sum, { logOdds }, index) => sum + (weights[index] ?? 0) * logOdds, 0),
      each,
      without(line) {
        let [logOdds, shrink] = [0, 0];
        each.forEach((one, index) => {
          const own = one.without(line);
          logOdds += (weights[index] ?? 0) * own.logOdds;
          shrink += (weights[index] ?? 0) * own.shrink;
        });
        return { logOdds, shrink };
      },
    };
  }

  /** Learns from a session. Call it after all bets on the session, with its prediction. */
  learn(features: Float64Array, prediction: SessionPrediction, tasks: number, failures: number): void {
    const rates = prediction.each.map(({ logOdds, variance }) => probability(logOdds * shrinkBy(variance)));
    const mean = rates.reduce((sum, rate, index) => sum + (this.#weights[index] ?? 0) * rate, 0);
    this.#learnCorrelation(mean, tasks, failures);
    const weight = this.weightOf(tasks);
    this.#learnWeights(rates, weight, tasks, failures);
    this.#regressions.forEach((regression, index) => {
      const own = prediction.each[index];
      if (own) regression.learn(features, own, { tasks, failures, weight });
    });
  }

  #learnWeights(rates: readonly number[], weight: number, tasks: number, failures: number): void {
    const logs = rates.map((given) => {
      const rate = Math.min(1 - LEAST_RATE, Math.max(LEAST_RATE, given));
      return weight * (failures * Math.log(rate) + (tasks - failures) * Math.log(1 - rate));
    });
    const highest = Math.max(...logs);
    const grown = this.#weights.map((own, index) => own * Math.exp((logs[index] ?? 0) - highest));
    const sum = grown.reduce((total, own) => total + own, 0);
    this.#weights = grown.map((own) => ((1 - SHARED) * own) / sum + SHARED / grown.length);
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
