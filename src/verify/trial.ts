import type { Scope } from '../contract/scope.js';
import type { Trial } from '../contract/trial.js';
import type { ArmFigures, TrialFigures } from '../contract/verdict.js';
import { ArmBet, type ArmBetSnapshot } from './arm-bet.js';
import { ArmCounts, type ArmCountsSnapshot, NO_UNITS } from './arm-counts.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { type Conclusion, conclusionOf, continued, isNewShare } from './conclusion.js';
import { HARM_RATIOS, SINGLE_RHO, UNIT_RHOS } from './effect-bets.js';
import { GuardMetrics, type GuardMetricsSnapshot } from './guard-metrics.js';
import { Holdout, type HoldoutFinding, type HoldoutSnapshot } from './holdout.js';
import { Moved, type MovedSnapshot } from './moved.js';
import type { OtherTasks } from './other-tasks.js';
import { isGivenUp } from './patience.js';
import { Ramp, type RampSnapshot } from './ramp.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import { RuleImpact, type RuleImpactSnapshot } from './rule-impact.js';
import { SparedKinds, type SparedKindsSnapshot } from './spared-kinds.js';
import { Spending, type SpendingSnapshot } from './spending.js';
import type { TaskEnd } from './task-end.js';
import { TrialCourse, type TrialCourseSnapshot } from './trial-course.js';
import { isTriggered } from './trigger.js';
import { endedUnit, overMs, type TrialTask, type Unit } from './unit.js';
import { UnitQueue, type UnitQueueSnapshot } from './unit-queue.js';

const HARM_NEEDED = 20;
/** Tasks that an overall helpful fix waits for until every kind of task shows the effect. */
const LONGEST_DOUBT = 1_000;
/** Prior for tasks that met a trigger: most of them fail without the fix. Worth only a few tasks. */
const TRIGGERED_PAST = { tasks: 20, failures: 18 };

export interface RunningTrialSnapshot extends SparedKindsSnapshot {
  readonly trial: Trial;
  readonly bet: ArmBetSnapshot;
  readonly queue: UnitQueueSnapshot;
  readonly guards: GuardMetricsSnapshot;
  readonly moved: MovedSnapshot;
  /** Tasks since the bet was won, while some kind of task is in doubt. */
  readonly wonAmong: number;
  readonly arrival: readonly number[];
  readonly holdout: HoldoutSnapshot;
  readonly guess: RateGuessSnapshot;
  readonly ramp: RampSnapshot | null;
  readonly spending: SpendingSnapshot;
  readonly inScope: ArmCountsSnapshot;
  readonly excused: ArmFigures;
  readonly ruling: Conclusion | null;
  readonly course: TrialCourseSnapshot;
  /** For rules only. */
  readonly tally?: RuleImpactSnapshot;
}

/** One running trial: takes its units in order, bets on them and reports conclusions. */
export class RunningTrial {
  #trial: Trial;
  readonly queue: UnitQueue;
  #bet: ArmBet;
  readonly #rhos: readonly number[];
  #guards: GuardMetrics;
  readonly #kinds: SparedKinds;
  readonly #moved: Moved;
  #wonAmong: number;
  /**
   * Evidence of harm in the order of ends, so that a slow unit does not delay an alarm. Uses failures only: successes
   * that merely end later in the fix arm must not look like harm.
   */
  #arrival: BettingMartingale;
  readonly #holdout: Holdout;
  /** Estimate of control's failure rate. Continues after the bet is over. */
  readonly #guess: RateGuess;
  #ramp: Ramp | undefined;
  readonly #tally: RuleImpact | undefined;
  readonly #spending: Spending;
  /** For a trial with a trigger: all units in scope, whether or not the fix could act on them. */
  readonly #inScope: ArmCounts;
  /** Totals at the time a person extended the trial. */
  #excused: ArmFigures;
  #ruling: Conclusion | undefined;
  /** Figures after earlier advances, up to the verdict. */
  readonly course: TrialCourse;

  constructor(trial: Trial, others: OtherTasks, snapshot?: RunningTrialSnapshot) {
    this.#trial = trial;
    this.queue = new UnitQueue(trial, snapshot?.queue);
    this.#rhos = trial.unit === 'task' ? SINGLE_RHO : UNIT_RHOS;
    this.#guards = new GuardMetrics(this.#rhos, trial.waitsMs, snapshot?.guards);
    this.#kinds = new SparedKinds(trial.unit, snapshot);
    this.#moved = new Moved(trial, others, snapshot?.moved);
    this.#wonAmong = snapshot?.wonAmong ?? 0;
    this.#arrival = new BettingMartingale(HARM_RATIOS, this.#rhos, snapshot?.arrival);
    this.#holdout = new Holdout(trial.unit, this.#rhos, snapshot?.holdout);
    this.#guess = new RateGuess(snapshot?.guess);
    if (snapshot) this.#bet = ArmBet.restore(snapshot.bet);
    else {
      this.#guess.add(trial.past.tasks, trial.past.failures);
      const { unit, alpha, aim = 1, trigger } = trial;
      this.#bet = new ArmBet({ unit, alpha, aim });
      this.#bet.seed([trigger ? TRIGGERED_PAST : trial.past]);
    }
    if (trial.phase === 'ramp') this.#ramp = new Ramp(trial, this.#rhos, snapshot?.ramp ?? undefined);
    if (trial.unit === 'session') this.#tally = new RuleImpact(snapshot?.tally);
    this.#spending = new Spending(snapshot?.spending);
    this.#inScope = new ArmCounts(snapshot?.inScope);
    this.#excused = snapshot?.excused ?? NO_UNITS;
    this.#ruling = snapshot?.ruling ?? undefined;
    this.course = new TrialCourse(snapshot?.course);
  }

  get trial(): Trial {
    return this.#trial;
  }

  get ruling(): Conclusion | undefined {
    return this.#ruling;
  }

  /** Continues as the ledger says: with another share, in another phase, or past a deadline that a person extended. */
  follow(trial: Trial): void {
    const before = this.#trial;
    // Ends before the new phase belong to the old one. This also holds in a replay without an `advance` in between.
    if (trial.phaseSinceMs !== before.phaseSinceMs) this.advance(trial.phaseSinceMs, trial.phaseSinceMs, 0);
    this.#trial = trial;
    this.queue.follow(trial);
    const { except = [] } = trial.scope;
    const spared = except.length - (before.scope.except?.length ?? 0);
    if (spared !== 0) {
      this.#kinds.follow(except);
      this.#ruling = undefined;
    }
    if (spared > 0) this.#restartBets();
    if (trial.phase !== before.phase) {
      this.#ruling = undefined;
      this.#holdout.restart(this.#bet.figures().fix);
      this.#ramp = trial.phase === 'ramp' ? new Ramp(trial, this.#rhos) : undefined;
    } else if (trial.share !== before.share) {
      if (this.#ruling && isNewShare(this.#ruling)) this.#ruling = undefined;
      this.#holdout.follow(trial.share, this.#guess.rate);
    } else if (trial.deadlineMs > before.deadlineMs && this.#ruling?.kind === 'inconclusive') {
      this.#ruling = undefined;
      this.#excused = this.#bet.seen;
    }
  }

  /** Judges the kinds of tasks that are left without the evidence of an excluded one. */
  #restartBets(): void {
    if (this.#guards.fired) this.#guards = new GuardMetrics(this.#rhos, this.#trial.waitsMs);
    this.#bet = ArmBet.goingOn(this.#bet.snapshot());
    this.#arrival = new BettingMartingale(HARM_RATIOS, this.#rhos);
    this.#wonAmong = 0;
    this.#excused = this.#bet.seen;
  }

  /** Bets on every unit that is next in order. `holdout` is the permanent share of control for a proven fix. */
  advance(nowMs: number, watermarkMs: number, holdout: number): void {
    const before = this.#bet.seen.units;
    this.queue.number(watermarkMs);
    for (const unit of this.queue.ended(watermarkMs)) this.#betOnArrival(unit, nowMs);
    for (let unit = this.queue.next(watermarkMs); unit; unit = this.queue.next(watermarkMs)) {
      if (!unit.mixed && unit.tasks.length > 0) this.#take(unit, nowMs, holdout);
    }
    const { arms, seen, eHelp, eNone } = this.#bet;
    if (seen.units > before) this.course.add({ atMs: nowMs, ...arms, eHelp, eHarm: this.#eHarm, eNone });
    if (this.#isPastDeadline(nowMs)) {
      this.#rule({ kind: 'inconclusive', why: 'deadline', atMs: nowMs });
    }
  }

  /** Returns whether `advance` would change anything without another record. */
  isDue(nowMs: number, watermarkMs: number): boolean {
    return this.#isPastDeadline(nowMs) || this.queue.isDue(watermarkMs);
  }

  figures(): TrialFigures {
    const alarmed = this.#trial.phase !== 'running';
    const { afterwards } = this.#holdout;
    const kinds = this.#kinds.figures;
    return {
      ...this.#bet.figures(),
      ...(this.#trial.trigger && { inScope: this.#inScope.snapshot() }),
      eHarm: this.#eHarm,
      guards: [...this.#guards.figures(), this.#moved.figures()],
      ...(this.#ramp && { eInterference: this.#ramp.evidence }),
      ...(alarmed && { eAlarm: this.#holdout.evidence }),
      ...(afterwards && { afterwards }),
      ...(kinds.length > 0 && { kinds }),
      ...this.#spending.extra,
      ...(this.#tally && { counters: this.#tally.counters }),
    };
  }

  get #eHarm(): number {
    return Math.max(this.#bet.eHarm, this.#arrival.value);
  }

  /** Returns the trial as it continues after the ruling; undefined if it ends. */
  nextTrial(holdout: number): Trial | undefined {
    return this.#ruling && continued(this.#trial, this.#ruling, holdout, this.#holdout.shareAsleep(holdout));
  }

  snapshot(): RunningTrialSnapshot {
    return {
      trial: this.#trial,
      bet: this.#bet.snapshot(),
      queue: this.queue.snapshot(),
      guards: this.#guards.snapshot(),
      ...this.#kinds.snapshot(),
      moved: this.#moved.snapshot(),
      wonAmong: this.#wonAmong,
      arrival: [...this.#arrival.logs],
      holdout: this.#holdout.snapshot(),
      guess: this.#guess.snapshot(),
      ramp: this.#ramp?.snapshot() ?? null,
      spending: this.#spending.snapshot(),
      inScope: this.#inScope.snapshot(),
      excused: this.#excused,
      ruling: this.#ruling ?? null,
      course: this.course.snapshot(),
      ...(this.#tally && { tally: this.#tally.snapshot() }),
    };
  }

  #betOnArrival(unit: Unit, nowMs: number): void {
    if (unit.mixed || unit.tasks.length === 0 || this.#trial.phase !== 'running' || this.#ruling) return;
    if (this.#kinds.exclusionOf(unit, this.#trial)) return;
    const { arm, share, failures } = endedUnit(unit);
    if (failures === 0) return;
    this.#arrival.bet({ arm, share, tasks: failures, failures }, this.#guess.rate);
    if (this.#arrival.reaches(Math.log(HARM_NEEDED))) this.#fail('harm', nowMs);
  }

  #take(unit: Unit, nowMs: number, holdout: number): void {
    const ended = endedUnit(unit);
    const excluded = this.#kinds.exclusionOf(unit, this.#trial);
    if (excluded) {
      this.#explore(excluded, ended, nowMs);
      return;
    }
    const rate = this.#guess.rate;
    if (unit.arm === 'control') this.#guess.add(ended.tasks, ended.failures);
    this.#spending.add(unit.arm, unit.tasks);
    this.#tally?.add(ended, overMs(unit));
    if (this.#ruling && !isNewShare(this.#ruling)) return;
    const canAct = this.#canActOn(unit);
    this.#guard(unit, ended, canAct, nowMs);
    const harmed = canAct ? this.#kinds.harmed(unit, this.#trial) : undefined;
    if (harmed) this.#rule({ kind: 'spare', ...harmed, atMs: nowMs });
    switch (this.#trial.phase) {
      case 'running':
        this.#takeRunning(ended, canAct, nowMs);
        return;
      case 'ramp':
        this.#found(this.#holdout.ring(ended, rate), nowMs);
        this.#takeRamp(unit, ended, nowMs);
        return;
      case 'holdout':
        this.#found(this.#holdout.take(ended, rate, this.#trial, holdout), nowMs);
        return;
      default:
        this.#trial.phase satisfies never;
    }
  }

  #explore(scope: Scope, ended: EndedUnit, atMs: number): void {
    if (this.#trial.phase !== 'holdout' || !this.#kinds.explore(scope, ended)) return;
    this.#rule({ kind: 'rejoin', scope, atMs });
  }

  /** Checks the measures other than failures, before and after the confirmation. */
  #guard(unit: Unit, ended: EndedUnit, canAct: boolean, nowMs: number): void {
    const ends = unit.tasks.map((task) => task.end ?? neverEnded(task));
    this.#guards.bet(unit.arm, unit.share, ends, this.#trial.phase !== 'running');
    this.#moved.take(unit, ended, this.#trial, canAct);
    const guard = this.#guards.fired ?? this.#moved.fired;
    if (!guard) return;
    const because = { why: 'guard', guard, atMs: nowMs } as const;
    if (this.#trial.phase !== 'running') {
      this.#rule({ kind: 'alarm', ...because });
      return;
    }
    // A failed task counts as the worst one of each guard, so a single kind of task may be to blame.
    const worst = guard === 'other-tasks' ? undefined : this.#kinds.worst(this.#trial);
    this.#rule(worst ? { kind: 'spare', ...worst, atMs: nowMs } : { kind: 'failed', ...because });
  }

  #takeRunning(ended: EndedUnit, canAct: boolean, nowMs: number): void {
    // After the confirmation, the fix is monitored on all tasks, whether or not it could act on them.
    this.#holdout.practise(ended);
    if (this.#trial.trigger) this.#inScope.add(ended);
    if (!canAct) return;
    const { arm, share, tasks, failures } = ended;
    const decision = this.#bet.push({ seq: this.#bet.units, arm, share, tasks, failures });
    if (decision === 'confirmed') this.#confirm(tasks, nowMs);
    else if (decision === 'failed') this.#fail(this.#bet.why ?? 'harm', nowMs);
    else if (isGivenUp(this.#trial, { seen: this.#bet.seen, excused: this.#excused, ratio: this.#bet.ratio })) {
      this.#rule({ kind: 'inconclusive', why: 'enough-failures-seen', atMs: nowMs });
    }
  }

  /** Returns whether the fix can act on the unit. In a trial with a trigger, a unit is a single task. */
  #canActOn(unit: Unit): boolean {
    const { trigger } = this.#trial;
    return trigger === undefined || isTriggered(unit.tasks[0]?.end, trigger);
  }

  /**
   * Confirms the fix. Waits for a while if a kind of task does not yet show the effect, or if failures may have moved.
   */
  #confirm(tasks: number, nowMs: number): void {
    const hasWaited = this.#wonAmong >= LONGEST_DOUBT;
    if ((!hasWaited && this.#kinds.isInDoubt) || this.#moved.isInDoubt(this.#trial, hasWaited)) {
      this.#wonAmong += tasks;
      return;
    }
    this.#rule({ kind: this.#trial.unit === 'block' ? 'ramp' : 'confirmed', atMs: nowMs });
  }

  /** Rejects the fix. If it fails overall but helps one kind of task, excludes only the worst kind. */
  #fail(why: 'harm' | 'no-effect', atMs: number): void {
    const worst = this.#kinds.worst(this.#trial);
    this.#rule(worst ? { kind: 'spare', ...worst, atMs } : { kind: 'failed', why, atMs });
  }

  #takeRamp(unit: Unit, ended: EndedUnit, nowMs: number): void {
    const found = this.#ramp?.take(unit, ended);
    if (found === 'interference') this.#rule({ kind: 'failed', why: 'interference', atMs: nowMs });
    else if (found === 'none') this.#rule({ kind: 'confirmed', atMs: nowMs });
  }

  #found(finding: HoldoutFinding | undefined, atMs: number): void {
    if (finding !== undefined) this.#rule(conclusionOf(finding, atMs));
  }

  /** Records the first ruling of a phase. Only an alarm overrides a mere change of share. */
  #rule(ruling: Conclusion): void {
    if (!this.#ruling || (isNewShare(this.#ruling) && ruling.kind === 'alarm')) this.#ruling = ruling;
  }

  #isPastDeadline(nowMs: number): boolean {
    return this.#ruling === undefined && this.#trial.phase === 'running' && nowMs > this.#trial.deadlineMs;
  }
}

function neverEnded(task: TrialTask): TaskEnd {
  return { failed: true, atMs: task.deadlineMs };
}
