import type { ArmFigures } from '../contract/verdict.js';
import { ArmCounts, type ArmCountsSnapshot } from './arm-counts.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { HARM_RATIOS } from './effect-bets.js';

const HARM_NEEDED = 20;

export interface ArrivalSnapshot {
  readonly logs: readonly number[];
  readonly counts: ArmCountsSnapshot;
}

/** Tasks that have begun and not ended yet, by arm. */
export type Begun = Readonly<Record<'fix' | 'control', Pick<ArmFigures, 'units' | 'tasks'>>>;

/**
 * Evidence of harm in the order of ends, so that a slow unit does not delay an alarm. Bets on failures only: successes
 * that merely end later in the fix arm must not look like harm. It judges by what it has counted: tasks that ended in
 * any order, and running ones as not failed.
 */
export class Arrival {
  readonly #rhos: readonly number[];
  #bets: BettingMartingale;
  #counts: ArmCounts;

  constructor(rhos: readonly number[], snapshot?: ArrivalSnapshot) {
    this.#rhos = rhos;
    this.#bets = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.logs);
    this.#counts = new ArmCounts(snapshot?.counts);
  }

  get value(): number {
    return this.#bets.value;
  }

  /** Forgets the evidence, after a kind of task was removed from the trial. */
  restart(): void {
    this.#bets = new BettingMartingale(HARM_RATIOS, this.#rhos);
    this.#counts = new ArmCounts();
  }

  /** Counts a unit that ended, and bets on its failures. `rate` is an estimate of control's failure rate. */
  take(unit: EndedUnit, rate: number): void {
    this.#counts.add(unit);
    if (unit.failures > 0) this.#bets.bet({ ...unit, tasks: unit.failures }, rate);
  }

  /** Returns the counts that show harm; undefined without enough evidence, or if control did not begin or fails more. */
  harm(begun: () => Begun): ArmCountsSnapshot | undefined {
    if (!this.#bets.reaches(Math.log(HARM_NEEDED))) return undefined;
    const running = begun();
    const { fix, control } = this.#counts.snapshot();
    const counts = { fix: withRunning(fix, running.fix), control: withRunning(control, running.control) };
    const difference = new ArmCounts(counts).difference;
    return difference !== undefined && difference > 0 ? counts : undefined;
  }

  snapshot(): ArrivalSnapshot {
    return { logs: [...this.#bets.logs], counts: this.#counts.snapshot() };
  }
}

function withRunning({ units, tasks, failures }: ArmFigures, running: Begun['fix']): ArmFigures {
  return { units: units + running.units, tasks: tasks + running.tasks, failures };
}
