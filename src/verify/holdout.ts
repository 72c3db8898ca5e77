import type { Trial } from '../contract/trial.js';
import type { TrialFigures } from '../contract/verdict.js';
import { ArmBet, type ArmBetSnapshot } from './arm-bet.js';
import { ArmCounts, type ArmCountsSnapshot } from './arm-counts.js';
import { EVEN_SHARE } from './assign.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { ChangeDetector, type ChangeDetectorSnapshot } from './change-detector.js';
import { EffectMeter, type EffectMeterSnapshot } from './effect.js';
import { HARM_RATIOS } from './effect-bets.js';

type Afterwards = NonNullable<TrialFigures['afterwards']>;

/** E-value needed for the alarm. It runs without end: on average at most one false alarm in 10,000 units. */
const ALARM_NEEDED = 10_000;
/** Share of control in the first holdout after a confirmation, and its length in tasks. */
const FIRST_SHARE = 0.1;
const FIRST_TASKS = 1_000;
/** A fresh trial without a finding ends after this many tasks. */
const RECHECK_TASKS = 600;
const RECHECK_ALPHA = 0.05;

/** Findings of a holdout. `wake`: the control share returns to one half. `sleep`: the fresh trial found no harm. */
export type HoldoutFinding = 'alarm' | 'wake' | 'sleep' | 'less' | 'harm' | 'no-effect';

export interface HoldoutSnapshot {
  readonly alarm: readonly number[];
  readonly detector: ChangeDetectorSnapshot;
  readonly among: number;
  readonly recheck: ArmBetSnapshot | null;
  readonly rechecked: number;
  readonly effect: EffectMeterSnapshot;
  readonly counts: ArmCountsSnapshot;
}

/**
 * Monitor of a confirmed fix. Some tasks run without the fix, and an alarm compares the two arms. As control tasks are
 * few, a change detector also watches all tasks. If failures exceed what earlier bad stretches explain, the share
 * returns to one half and a fresh trial decides.
 */
export class Holdout {
  readonly #unit: Trial['unit'];
  readonly #rhos: readonly number[];
  #alarm: BettingMartingale;
  readonly #detector: ChangeDetector;
  /** Tasks since the confirmation. */
  #among: number;
  #recheck: ArmBet | undefined;
  #rechecked: number;
  /**
   * Effect measured only after the confirmation. These units played no part in the selection, so there is no winner's
   * curse.
   */
  #effect: EffectMeter;
  #counts: ArmCounts;

  constructor(unit: Trial['unit'], rhos: readonly number[], snapshot?: HoldoutSnapshot) {
    this.#unit = unit;
    this.#rhos = rhos;
    this.#alarm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.alarm);
    this.#detector = new ChangeDetector(snapshot?.detector);
    this.#among = snapshot?.among ?? 0;
    if (snapshot?.recheck) this.#recheck = ArmBet.restore(snapshot.recheck);
    this.#rechecked = snapshot?.rechecked ?? 0;
    this.#effect = new EffectMeter(unit === 'task', snapshot?.effect);
    this.#counts = new ArmCounts(snapshot?.counts);
  }

  /** Evidence of the alarm: its e-value. */
  get evidence(): number {
    return this.#alarm.value;
  }

  /** Results since the confirmation; undefined until both arms have a task. */
  get afterwards(): Afterwards | undefined {
    const { fix, control } = this.#counts.snapshot();
    return fix.units > 0 && control.units > 0 ? { fix, control, effect: this.#effect.effect() } : undefined;
  }

  /** Trains the change detector on a unit of the trial, to learn how bad normal stretches get. */
  practise({ tasks, failures }: EndedUnit): void {
    this.#detector.add(tasks, failures);
  }

  /** Starts monitoring in a new phase. `fixed` counts the tasks with the fix so far. */
  restart(fixed: { readonly tasks: number; readonly failures: number }): void {
    this.#alarm = new BettingMartingale(HARM_RATIOS, this.#rhos);
    this.#detector.restart(fixed.tasks, fixed.failures);
    this.#among = 0;
    this.#recheck = undefined;
    this.#effect = new EffectMeter(this.#unit === 'task');
    this.#counts = new ArmCounts();
  }

  /** Continues with a new share: one half starts a fresh trial. `rate` is an estimate of control's failure rate. */
  follow(share: number, rate: number): void {
    this.#detector.rest();
    this.#rechecked = 0;
    this.#recheck = undefined;
    if (share !== EVEN_SHARE) return;
    // Only 600 tasks: too few to exclude the smallest gain, enough to see that most of a proven effect is gone.
    this.#recheck = new ArmBet({ unit: this.#unit, alpha: RECHECK_ALPHA, method: 'ratios' });
    this.#recheck.seed([{ tasks: 50, failures: Math.round(50 * rate) }]);
  }

  /** Returns the fix's share while no harm is suspected. `holdout` is the permanent control share. */
  shareAsleep(holdout: number): number {
    return this.#among >= FIRST_TASKS ? 1 - holdout : firstShare(holdout);
  }

  /** Updates only the alarm. Used while the share still ramps. */
  ring(ended: EndedUnit, rate: number): 'alarm' | undefined {
    this.#alarm.bet(ended, rate);
    this.#alarm.forgetLosses();
    return this.#alarm.reaches(Math.log(ALARM_NEEDED)) ? 'alarm' : undefined;
  }

  take(ended: EndedUnit, rate: number, trial: Trial, holdout: number): HoldoutFinding | undefined {
    const changed = this.#detector.add(ended.tasks, ended.failures);
    this.#among += ended.tasks;
    this.#counts.add(ended);
    this.#effect.add(ended, rate);
    if (this.ring(ended, rate)) return 'alarm';
    if (this.#recheck) return this.#takeInRecheck(this.#recheck, ended);
    if (changed && trial.share > EVEN_SHARE) return 'wake';
    return this.#among >= FIRST_TASKS && trial.share < 1 - holdout ? 'less' : undefined;
  }

  snapshot(): HoldoutSnapshot {
    return {
      alarm: [...this.#alarm.logs],
      detector: this.#detector.snapshot(),
      among: this.#among,
      recheck: this.#recheck?.snapshot() ?? null,
      rechecked: this.#rechecked,
      effect: this.#effect.snapshot(),
      counts: this.#counts.snapshot(),
    };
  }

  /**
   * Units assigned before the share returned to one half carry little information, so only evenly randomised ones
   * count.
   */
  #takeInRecheck(recheck: ArmBet, ended: EndedUnit): HoldoutFinding | undefined {
    if (ended.share !== EVEN_SHARE) return undefined;
    this.#rechecked += ended.tasks;
    const decision = recheck.push({ seq: recheck.units, ...ended });
    if (decision === 'failed') return recheck.why;
    return decision === 'confirmed' || this.#rechecked >= RECHECK_TASKS ? 'sleep' : undefined;
  }
}

/** Returns the share of a newly confirmed fix. */
export function firstShare(holdout: number): number {
  return 1 - Math.max(FIRST_SHARE, holdout);
}
