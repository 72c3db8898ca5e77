import { type EndedUnit, logMean } from './betting-martingale.js';

/** Ratios tested for the interval: 0.02 to 10 in steps of 12 %, including 1. */
const GRID: readonly number[] = /* @__PURE__ */ Array.from({ length: 55 }, (_, index) => 10 ** ((index - 34) / 20));
const HIGHEST_RATIO = 10;
/** Log e-value at which a ratio is excluded (1 in 20). */
const RULED_OUT = /* @__PURE__ */ Math.log(20);
/** Shares are rounded to three digits, which bounds the number of strata. */
const SHARE_DIGITS = 1000;
/** Stakes on the mean of units, as fractions of the highest stake that can never lose everything. */
const STAKES: readonly number[] = [-0.9, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 0.9];

export interface Effect {
  /** Failure rate of the fix arm over that of control, 0 to 10. 10 means 10 or more. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Failures of both arms among units with the same share. Tasks are counted for units of several tasks only. */
type Stratum = { fix: number; control: number; fixTasks: number; controlTasks: number };

export interface EffectMeterSnapshot {
  readonly strata: readonly (readonly [
    share: number,
    fix: number,
    control: number,
    fixTasks: number,
    controlTasks: number,
  ])[];
  readonly stakes: readonly number[] | null;
}

/**
 * Estimates the ratio of the fix arm's failure rate to control's, with a confidence interval. The interval is valid
 * however often it is checked: it reaches to the first ratio of the grid that the bets have excluded at 1 in 20.
 *
 * Units of single tasks: a failure was in the fix arm with probability share r / (share r + 1 - share). This does not
 * depend on the failure rate, so the bets use only the arms of failures.
 *
 * Units of several tasks: tasks within a unit are correlated, so the bets use the unit's failure rate as one number. If
 * the ratio is r, a fix unit scores (rate - r m) / share and a control unit -r (rate - m) / (1 - share). Together these
 * have mean 0 for any distribution of rates and any m chosen before the unit. (Betting on a bounded mean, Waudby-Smith
 * and Ramdas 2020.) Their variance is lowest with m near control's rate.
 */
export class EffectMeter {
  readonly #strata = new Map<number, Stratum>();
  /** Log capitals of the bets on means, ordered by ratio, then stake. */
  readonly #stakes: number[] | undefined;

  constructor(single: boolean, snapshot?: EffectMeterSnapshot) {
    const stakes = snapshot?.stakes ?? new Array<number>(GRID.length * STAKES.length).fill(0);
    this.#stakes = single ? undefined : [...stakes];
    for (const [share, fix, control, fixTasks, controlTasks] of snapshot?.strata ?? []) {
      this.#strata.set(share, { fix, control, fixTasks, controlTasks });
    }
  }

  /** Adds a unit. `guess` is an estimate of control's failure rate made before seeing the unit. */
  add(unit: EndedUnit, guess: number): void {
    if (this.#stakes) betOnMeans(this.#stakes, unit, guess);
    else if (unit.failures === 0) return;
    const share = Math.round(unit.share * SHARE_DIGITS) / SHARE_DIGITS;
    const stratum = this.#strata.get(share) ?? { fix: 0, control: 0, fixTasks: 0, controlTasks: 0 };
    stratum[unit.arm] += unit.failures;
    if (this.#stakes) stratum[unit.arm === 'fix' ? 'fixTasks' : 'controlTasks'] += unit.tasks;
    this.#strata.set(share, stratum);
  }

  effect(): Effect {
    const against = this.#stakes ? againstByMeans(this.#stakes) : this.#againstByFailures();
    // With very many units, all ratios of the grid are excluded. The truth is then next to the least excluded one.
    const least = against.indexOf(Math.min(...against));
    const isOpen = (log: number, index: number) => log < RULED_OUT || index === least;
    const [first, last] = [against.findIndex(isOpen), against.findLastIndex(isOpen)];
    // Ratios between an open one and its excluded neighbour may be open too.
    const [low, high] = [GRID[first - 1] ?? 0, GRID[last + 1] ?? HIGHEST_RATIO];
    return { value: Math.min(high, Math.max(low, this.ratio)), low, high };
  }

  snapshot(): EffectMeterSnapshot {
    return {
      strata: [...this.#strata].map(
        ([share, { fix, control, fixTasks, controlTasks }]) => [share, fix, control, fixTasks, controlTasks] as const,
      ),
      stakes: this.#stakes ? [...this.#stakes] : null,
    };
  }

  /**
   * Ratio of the rates, with strata weighted so that unequal shares cancel out. Units of several tasks are few and of
   * unequal size, so that their arms have unequal numbers of tasks: failures are divided by these.
   */
  get ratio(): number {
    const sums: Stratum = { fix: 0, control: 0, fixTasks: 0, controlTasks: 0 };
    for (const [share, stratum] of this.#strata) {
      sums.fix += stratum.fix * (1 - share);
      sums.fixTasks += stratum.fixTasks * (1 - share);
      sums.control += stratum.control * share;
      sums.controlTasks += stratum.controlTasks * share;
    }
    const { fix, control, fixTasks, controlTasks } = sums;
    if (fix === 0 && control === 0) return 1;
    if (control === 0) return HIGHEST_RATIO;
    const perTask = this.#stakes && fixTasks > 0 ? controlTasks / fixTasks : 1;
    return Math.min(HIGHEST_RATIO, (fix / control) * perTask);
  }

  /** Returns the log e-value against each ratio. */
  #againstByFailures(): readonly number[] {
    const logs = GRID.map((ratio) => {
      let log = 0;
      for (const [share, { fix, control }] of this.#strata) {
        const mixture = Math.log(share * ratio + 1 - share);
        log += fix * (Math.log(ratio) - mixture) - control * mixture;
      }
      return log;
    });
    const mean = logMean(logs);
    return logs.map((log) => mean - log);
  }
}

function betOnMeans(stakes: number[], { arm, share, tasks, failures }: EndedUnit, guess: number): void {
  const rate = failures / tasks;
  let cell = 0;
  for (const ratio of GRID) {
    const score = arm === 'fix' ? (rate - ratio * guess) / share : (-ratio * (rate - guess)) / (1 - share);
    // Worst possible scores, which bound the stakes that win if the score is above 0 or below 0.
    const lowest = ratio * Math.max(guess / share, (1 - guess) / (1 - share));
    const highest = Math.max((1 - ratio * guess) / share, (ratio * guess) / (1 - share));
    for (const stake of STAKES) {
      stakes[cell] = (stakes[cell] ?? 0) + Math.log1p((stake * score) / (stake > 0 ? lowest : highest));
      cell++;
    }
  }
}

/** Returns the log e-value against each ratio. */
function againstByMeans(stakes: readonly number[]): readonly number[] {
  return GRID.map((_, index) => {
    const from = index * STAKES.length;
    return logMean(stakes.slice(from, from + STAKES.length));
  });
}
