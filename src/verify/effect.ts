import type { EndedUnit } from './capital.js';
import { Capital, logMean } from './capital.js';

/** Ratios the interval is made of: 0.02 to 10 in steps of about 12 %, with 1 among them. */
const GRID: readonly number[] = Array.from({ length: 56 }, (_, index) => 10 ** ((index - 35) / 20)).filter(
  (ratio) => ratio >= 0.0199,
);
const HIGHEST_RATIO = 10;
/** Ratios are ruled out at 1 in 20. */
const RULED_OUT = Math.log(20);
/** Shares are told apart to three digits, which bounds the number of strata. */
const SHARE_DIGITS = 1000;

export interface Effect {
  /** Failure rate of the fix arm over that of control; 0 to 10, where 10 stands for 10 or more. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Failures of both arms among units that were drawn with one share. */
type Stratum = { fix: number; control: number };

export interface EffectMeterSnapshot {
  readonly strata: readonly (readonly [number, number, number])[];
  readonly logs?: readonly number[];
}

/**
 * What multiple of control's failure rate the fix arm has, with an interval that stays right however often one looks.
 * Units that are single tasks: among failures, the chance to have been in the fix arm is share r / (share r + 1 - share)
 * whatever the failure rate was, so each r on a grid is tested by betting on the arms of failures alone; exact.
 * Units of several tasks: the capital of the test itself, ratio against ratio; as good as the guess of control's rate.
 */
export class EffectMeter {
  readonly #strata = new Map<number, Stratum>();
  readonly #units: Capital | undefined;
  readonly #rhos: readonly number[];

  constructor(rhos: readonly number[], single: boolean, snapshot?: EffectMeterSnapshot) {
    this.#rhos = rhos;
    this.#units = single ? undefined : new Capital(GRID, rhos, snapshot?.logs);
    for (const [share, fix, control] of snapshot?.strata ?? []) this.#strata.set(share, { fix, control });
  }

  add(unit: EndedUnit, rate: number): void {
    this.#units?.bet(unit, rate);
    if (unit.failures === 0) return;
    const share = Math.round(unit.share * SHARE_DIGITS) / SHARE_DIGITS;
    const stratum = this.#strata.get(share) ?? { fix: 0, control: 0 };
    stratum[unit.arm] += unit.failures;
    this.#strata.set(share, stratum);
  }

  effect(): Effect {
    const ruledOut = this.#units ? this.#ruledOutByUnits(this.#units) : this.#ruledOutByFailures();
    const open = GRID.filter((_, index) => !ruledOut[index]);
    const [first, last] = [open[0], open[open.length - 1]];
    if (first === undefined || last === undefined) return { value: this.#ratio(), low: 0, high: HIGHEST_RATIO };
    const low = first === GRID[0] ? 0 : first;
    return { value: Math.min(last, Math.max(low, this.#ratio())), low, high: last };
  }

  snapshot(): EffectMeterSnapshot {
    const strata = [...this.#strata].map(([share, { fix, control }]) => [share, fix, control] as const);
    return { strata, ...(this.#units && { logs: [...this.#units.logs] }) };
  }

  /** Ratio of the rates, each stratum weighted so that unequal shares cancel out. */
  #ratio(): number {
    let fix = 0;
    let control = 0;
    for (const [share, stratum] of this.#strata) {
      fix += stratum.fix * (1 - share);
      control += stratum.control * share;
    }
    if (fix === 0 && control === 0) return 1;
    return control === 0 ? HIGHEST_RATIO : Math.min(HIGHEST_RATIO, fix / control);
  }

  #ruledOutByFailures(): boolean[] {
    const logs = GRID.map((ratio) => {
      let log = 0;
      for (const [share, { fix, control }] of this.#strata) {
        const mixture = Math.log(share * ratio + 1 - share);
        log += fix * (Math.log(ratio) - mixture) - control * mixture;
      }
      return log;
    });
    const mean = logMean(logs);
    return logs.map((log) => mean - log >= RULED_OUT);
  }

  #ruledOutByUnits(units: Capital): boolean[] {
    const rhos = this.#rhos.length;
    const logs = units.logs;
    const means = this.#rhos.map((_, rho) => logMean(GRID.map((_, index) => logs[index * rhos + rho] ?? 0)));
    return GRID.map(
      (_, index) => logMean(means.map((mean, rho) => mean - (logs[index * rhos + rho] ?? 0))) >= RULED_OUT,
    );
  }
}
