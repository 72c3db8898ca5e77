import type { Trial } from '../contract/trial.js';
import type { ArmFigures, TrialFigures } from '../contract/verdict.js';
import { ArmBet, type ArmBetSnapshot, HARM_RATIOS } from './arm-bet.js';
import { EVEN_SHARE } from './assign.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { ChangeDetector, type ChangeDetectorSnapshot } from './change-detector.js';
import { EffectMeter, type EffectMeterSnapshot } from './effect.js';

type Afterwards = NonNullable<TrialFigures['afterwards']>;
const NOTHING: ArmFigures = { units: 0, tasks: 0, failures: 0 };

/** The alarm never ends, so it needs more: one false alarm in 10,000 units at most, on average. */
const ALARM_NEEDED = 10_000;
/** The hold-back after a confirmation: its share, for how many tasks. */
const FIRST_SHARE = 0.1;
const FIRST_TASKS = 1_000;
/** A fresh trial that finds nothing ends after so many tasks. */
const RECHECK_TASKS = 600;
const RECHECK_ALPHA = 0.05;

/** Reached in a hold-back. `wake`: half of the tasks go without the fix again; `sleep`: that found nothing against it. */
export type HoldBackFinding = 'alarm' | 'wake' | 'sleep' | 'less' | 'harm' | 'no-effect';

export interface HoldBackSnapshot {
  readonly alarm: readonly number[];
  readonly detector: ChangeDetectorSnapshot;
  readonly among: number;
  readonly recheck: ArmBetSnapshot | null;
  readonly rechecked: number;
  readonly effect: EffectMeterSnapshot;
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
}

/**
 * Watches a confirmed fix. Some tasks go without it, and an alarm compares both. As they are few, a change detector looks
 * at all tasks: when more fail than bad weather explains, the share goes back to one half and a fresh trial decides.
 */
export class HoldBack {
  readonly #unit: Trial['unit'];
  readonly #rhos: readonly number[];
  #alarm: BettingMartingale;
  readonly #detector: ChangeDetector;
  /** Tasks since the confirmation. */
  #among: number;
  #recheck: ArmBet | undefined;
  #rechecked: number;
  /** Of units since the confirmation only: nothing was chosen by them, so no luck of the winner is in it. */
  #effect: EffectMeter;
  #arms: { fix: ArmFigures; control: ArmFigures };

  constructor(unit: Trial['unit'], rhos: readonly number[], snapshot?: HoldBackSnapshot) {
    this.#unit = unit;
    this.#rhos = rhos;
    this.#alarm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.alarm);
    this.#detector = new ChangeDetector(snapshot?.detector);
    this.#among = snapshot?.among ?? 0;
    if (snapshot?.recheck) this.#recheck = ArmBet.restore(snapshot.recheck);
    this.#rechecked = snapshot?.rechecked ?? 0;
    this.#effect = new EffectMeter(unit === 'task', snapshot?.effect);
    this.#arms = { fix: snapshot?.fix ?? NOTHING, control: snapshot?.control ?? NOTHING };
  }

  /** Capital of the alarm. */
  get evidence(): number {
    return this.#alarm.value;
  }

  /** How tasks went since the confirmation; undefined before the first of each arm. */
  get afterwards(): Afterwards | undefined {
    const { fix, control } = this.#arms;
    return fix.units > 0 && control.units > 0 ? { fix, control, effect: this.#effect.effect() } : undefined;
  }

  /** Learns from a unit of the trial how bad weather can be. */
  practise({ tasks, failures }: EndedUnit): void {
    this.#detector.add(tasks, failures);
  }

  /** Begins to watch in another phase; `fixed` is how tasks with the fix went so far. */
  restart(fixed: { readonly tasks: number; readonly failures: number }): void {
    this.#alarm = new BettingMartingale(HARM_RATIOS, this.#rhos);
    this.#detector.restart(fixed.tasks, fixed.failures);
    this.#among = 0;
    this.#recheck = undefined;
    this.#effect = new EffectMeter(this.#unit === 'task');
    this.#arms = { fix: NOTHING, control: NOTHING };
  }

  /** Goes on with another share: one half begins a fresh trial. `rate` is a guess of control's failure rate. */
  follow(share: number, rate: number): void {
    this.#detector.rest();
    this.#rechecked = 0;
    this.#recheck = undefined;
    if (share !== EVEN_SHARE) return;
    this.#recheck = new ArmBet({ unit: this.#unit, alpha: RECHECK_ALPHA });
    this.#recheck.seed([{ tasks: 50, failures: Math.round(50 * rate) }]);
  }

  /** Share of the fix while nothing is wrong; `holdBack` is the share of control that stays for good. */
  shareAsleep(holdBack: number): number {
    return this.#among >= FIRST_TASKS ? 1 - holdBack : firstShare(holdBack);
  }

  /** Only the alarm: while the share still ramps. */
  ring(ended: EndedUnit, rate: number): 'alarm' | undefined {
    this.#alarm.bet(ended, rate);
    this.#alarm.forgetLosses();
    return this.#alarm.reaches(Math.log(ALARM_NEEDED)) ? 'alarm' : undefined;
  }

  take(ended: EndedUnit, rate: number, trial: Trial, holdBack: number): HoldBackFinding | undefined {
    const changed = this.#detector.add(ended.tasks, ended.failures);
    this.#among += ended.tasks;
    this.#count(ended, rate);
    if (this.ring(ended, rate)) return 'alarm';
    if (this.#recheck) return this.#takeInRecheck(this.#recheck, ended);
    if (changed && trial.share > EVEN_SHARE) return 'wake';
    return this.#among >= FIRST_TASKS && trial.share < 1 - holdBack ? 'less' : undefined;
  }

  snapshot(): HoldBackSnapshot {
    return {
      alarm: [...this.#alarm.logs],
      detector: this.#detector.snapshot(),
      among: this.#among,
      recheck: this.#recheck?.snapshot() ?? null,
      rechecked: this.#rechecked,
      effect: this.#effect.snapshot(),
      ...this.#arms,
    };
  }

  #count(ended: EndedUnit, rate: number): void {
    const { units, tasks, failures } = this.#arms[ended.arm];
    this.#arms[ended.arm] = { units: units + 1, tasks: tasks + ended.tasks, failures: failures + ended.failures };
    this.#effect.add(ended, rate);
  }

  /** Units drawn before the share went back tell little: only those drawn evenly count. */
  #takeInRecheck(recheck: ArmBet, ended: EndedUnit): HoldBackFinding | undefined {
    if (ended.share !== EVEN_SHARE) return undefined;
    this.#rechecked += ended.tasks;
    const decision = recheck.push({ seq: recheck.seen.units, ...ended });
    if (decision === 'rejected') return recheck.why;
    return decision === 'confirmed' || this.#rechecked >= RECHECK_TASKS ? 'sleep' : undefined;
  }
}

/** Share of a fix that was just confirmed. */
export function firstShare(holdBack: number): number {
  return 1 - Math.max(FIRST_SHARE, holdBack);
}
