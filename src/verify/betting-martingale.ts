import type { Arm } from '../contract/start.js';

/** How a unit of randomisation ended: what is bet on. */
export interface EndedUnit {
  readonly arm: Arm;
  /** Probability with which the unit was given to the fix, 0 to 1. */
  readonly share: number;
  /** Fractions where a task counts in part. */
  readonly tasks: number;
  readonly failures: number;
}

/** Nothing fails with certainty: the supposed failure rate of the fix arm stays below this. */
const HIGHEST_RATE = 0.98;

/**
 * Money won by guessing the arms of units from how they ended, as a mean over several ways to guess. Each way supposes
 * that the fix multiplies the failure rate by a ratio, and that the tasks of a unit depend on each other by `rho`
 * (0 not at all, 1 they are one and the same). If the fix does nothing, no way to guess wins on average, whatever the
 * failure rate does meanwhile: the capital is a non-negative martingale that starts at 1.
 * (Turner, Ly and Grunwald 2024; Waudby-Smith and Ramdas 2020.)
 */
export class BettingMartingale {
  readonly #ratios: readonly number[];
  readonly #rhos: readonly number[];
  /** Natural logarithms, ratio by ratio, rho by rho. */
  readonly #logs: number[];

  constructor(ratios: readonly number[], rhos: readonly number[], logs?: readonly number[]) {
    this.#ratios = ratios;
    this.#rhos = rhos;
    this.#logs = logs ? [...logs] : new Array<number>(ratios.length * rhos.length).fill(0);
  }

  /** Bets on one unit. `rate` is a guess of control's failure rate made before the unit was looked at. */
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

  /** Forgets losses, so that a long success does not make an alarm deaf: no way to guess has less than 1. */
  forgetLosses(): void {
    for (let cell = 0; cell < this.#logs.length; cell++) this.#logs[cell] = Math.max(0, this.#logs[cell] ?? 0);
  }

  /** Whether the mean has reached e to the power of `log`; quicker than asking for the mean. */
  reaches(log: number): boolean {
    for (const one of this.#logs) if (one >= log) return this.log >= log;
    return false;
  }

  /** Natural logarithm of the mean capital. */
  get log(): number {
    return logMean(this.#logs);
  }

  /** The mean capital, cut at 1e300 so that it stays a number in JSON. */
  get value(): number {
    return Math.exp(Math.min(this.log, LARGEST_LOG));
  }

  /** The single capitals as logarithms, ratio by ratio, rho by rho; give them to the constructor to go on. */
  get logs(): readonly number[] {
    return this.#logs;
  }
}

export const LARGEST_LOG = /* @__PURE__ */ Math.log(1e300);
const LARGEST_EXPONENT = 600;

/** How much likelier the end of the unit is under the fix with this ratio than under control, as a logarithm. */
function logLikelihoodRatio(unit: Pick<EndedUnit, 'tasks' | 'failures'>, ratio: number, rate: number): number {
  const failed = unit.failures === 0 ? 0 : unit.failures * Math.log(ratio);
  const successes = unit.tasks - unit.failures;
  return successes === 0
    ? failed
    : failed + successes * Math.log((1 - Math.min(HIGHEST_RATE, rate * ratio)) / (1 - rate));
}

/**
 * What the bet on one unit multiplies the capital by, as a logarithm: q / share for the fix arm, (1 - q) / (1 - share)
 * for control, where q = share L / (share L + 1 - share). Its mean over the arms is 1 for every L and share.
 */
function logFactor(evidence: number, unit: Pick<EndedUnit, 'arm' | 'share'>): number {
  const mixture =
    evidence < LARGEST_EXPONENT ? Math.log1p(unit.share * Math.expm1(evidence)) : Math.log(unit.share) + evidence; // e to the power of evidence would overflow, and nothing else matters beside it
  return unit.arm === 'fix' ? evidence - mixture : -mixture;
}

/** Logarithm of the mean of numbers given as logarithms. */
export function logMean(logs: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const log of logs) if (log > largest) largest = log;
  let sum = 0;
  for (const log of logs) sum += Math.exp(log - largest);
  return largest + Math.log(sum / logs.length);
}
