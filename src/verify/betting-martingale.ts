import type { Arm } from '../contract/start.js';

/** Result of a unit of randomisation, on which the test bets. */
export interface EndedUnit {
  readonly arm: Arm;
  /** Probability that the unit was assigned to the fix, 0 to 1. */
  readonly share: number;
  /** May be fractional if a task counts in part. */
  readonly tasks: number;
  readonly failures: number;
}

/** Upper bound on the supposed failure rate of the fix arm: no failure is certain. */
const HIGHEST_RATE = 0.98;

/**
 * Betting martingale: capital won by predicting the arm of each unit from its result, averaged over several bets. Each
 * bet supposes that the fix multiplies the failure rate by a ratio. It also supposes a correlation `rho` between the
 * tasks of a unit (0 independent, 1 identical). If the fix does nothing, no bet wins on average, however the failure
 * rate drifts. The capital is then a non-negative martingale that starts at 1. (Turner, Ly and Grunwald 2024;
 * Waudby-Smith and Ramdas 2020.)
 */
export class BettingMartingale {
  readonly #ratios: readonly number[];
  readonly #rhos: readonly number[];
  /** Natural logarithms, ordered by ratio, then rho. */
  readonly #logs: number[];

  constructor(ratios: readonly number[], rhos: readonly number[], logs?: readonly number[]) {
    this.#ratios = ratios;
    this.#rhos = rhos;
    this.#logs = logs ? [...logs] : new Array<number>(ratios.length * rhos.length).fill(0);
  }

  /** Bets on one unit. `rate` is an estimate of control's failure rate made before seeing the unit. */
  bet(unit: EndedUnit, rate: number): void {
    let cell = 0;
    for (const ratio of this.#ratios) {
      const evidence = logLikelihoodRatio(unit, ratio, rate);
      for (const rho of this.#rhos) {
        this.#logs[cell] =
          (this.#logs[cell] ?? 0) + logFactor(evidence / (1 + Math.max(0, unit.tasks - 1) * rho), unit);
        cell++;
      }
    }
  }

  /** Resets every bet below 1 to 1, so that a long run of successes does not delay an alarm. */
  forgetLosses(): void {
    for (let cell = 0; cell < this.#logs.length; cell++) this.#logs[cell] = Math.max(0, this.#logs[cell] ?? 0);
  }

  /** Returns whether the mean capital is at least e^`log`. Faster than reading the mean. */
  reaches(log: number): boolean {
    for (const one of this.#logs) if (one >= log) return this.log >= log;
    return false;
  }

  /** Natural logarithm of the mean capital. */
  get log(): number {
    return logMean(this.#logs);
  }

  /** Mean capital, capped at 1e300 so that it remains a number in JSON. */
  get value(): number {
    return Math.exp(Math.min(this.log, LARGEST_LOG));
  }

  /** Logarithm of each bet's capital, ordered by ratio, then rho. Pass it to the constructor to resume. */
  get logs(): readonly number[] {
    return this.#logs;
  }
}

export const LARGEST_LOG = /* @__PURE__ */ Math.log(1e300);
const LARGEST_EXPONENT = 600;

/** Returns the log likelihood ratio of the unit's result: under the fix with this ratio, over under control. */
function logLikelihoodRatio(unit: Pick<EndedUnit, 'tasks' | 'failures'>, ratio: number, rate: number): number {
  const failed = unit.failures === 0 ? 0 : unit.failures * Math.log(ratio);
  const successes = unit.tasks - unit.failures;
  return successes === 0
    ? failed
    : failed + successes * Math.log((1 - Math.min(HIGHEST_RATE, rate * ratio)) / (1 - rate));
}

/**
 * Returns the log factor by which the bet on one unit multiplies the capital. It is q / share for the fix arm and (1 -
 * q) / (1 - share) for control. Here q = share L / (share L + 1 - share). Its mean over the arms is 1 for every L and
 * share.
 */
function logFactor(evidence: number, unit: Pick<EndedUnit, 'arm' | 'share'>): number {
  const mixture =
    evidence < LARGEST_EXPONENT ? Math.log1p(unit.share * Math.expm1(evidence)) : Math.log(unit.share) + evidence; // avoids overflow of e^evidence; the other term is negligible
  return unit.arm === 'fix' ? evidence - mixture : -mixture;
}

/** Returns the logarithm of the mean of numbers given as logarithms. */
export function logMean(logs: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const log of logs) if (log > largest) largest = log;
  let sum = 0;
  for (const log of logs) sum += Math.exp(log - largest);
  return largest + Math.log(sum / logs.length);
}
