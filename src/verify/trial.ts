import type { Scope } from '../contract/scope.js';
import type { Trial } from '../contract/trial.js';
import type { ArmFigures, TrialFigures } from '../contract/verdict.js';
import { ArmBet } from './arm-bet.js';
import { ArmCounts, type ArmCountsSnapshot, NO_UNITS } from './arm-counts.js';
import { Arrival } from './arrival.js';
import { EVEN_SHARE, isDoubted } from './assign.js';
import { betOptionsOf } from './bet-options.js';
import type { EndedUnit } from './betting-martingale.js';
import { type Conclusion, conclusionOf, continued } from './conclusion.js';
import { SINGLE_RHO, UNIT_RHOS } from './effect-bets.js';
import { Everybody } from './everybody.js';
import { gainOf, mayTakeFromControl } from './gain.js';
import { GuardMetrics } from './guard-metrics.js';
import { Holdout, type HoldoutFinding } from './holdout.js';
import { IdleWatch } from './idle-watch.js';
import { LaterTasks } from './later-tasks.js';
import { Moved } from './moved.js';
import { OpenTimes } from './open-times.js';
import type { OtherTasks } from './other-tasks.js';
import { isGivenUp } from './patience.js';
import { Ramp } from './ramp.js';
import { RateGuess } from './rate-guess.js';
import { RuleImpact } from './rule-impact.js';
import { Ruling } from './ruling.js';
import { SparedKinds } from './spared-kinds.js';
import { Spending } from './spending.js';
import type { TaskEnd } from './task-end.js';
import { TrialCourse } from './trial-course.js';
import type { RunningTrialSnapshot } from './trial-snapshot.js';
import { isTriggered } from './trigger.js';
import { endedUnit, overMs, type TrialTask, type Unit } from './unit.js';
import { UnitQueue } from './unit-queue.js';

/** Tasks that an overall helpful fix waits for until every kind of task shows the effect. */
const LONGEST_DOUBT = 1_000;
/** Evidence from which a choice of models looks better, and of no useful effect from which it does not. */
const LOOKS_BETTER = 5;
const LOOKS_USELESS = 5;
/** E-value from which a trial goes on past its deadline, and its longest time as a multiple of the planned one. */
const PROMISING = 3;
const LONGER = 3;
/** Prior for tasks that met a trigger: most of them fail without the fix. Worth only a few tasks. */
const TRIGGERED_PAST = { tasks: 20, failures: 18 };

/** One running trial: takes its units in order, bets on them and reports conclusions. */
export class RunningTrial {
  #trial: Trial;
  queue: UnitQueue;
  #bet: ArmBet;
  readonly #rhos: readonly number[];
  #guards: GuardMetrics;
  readonly #kinds: SparedKinds;
  readonly #moved: Moved;
  #wonAmong: number;
  readonly #arrival: Arrival;
  readonly #holdout: Holdout;
  /** Estimate of control's failure rate. Continues after the bet is over. */
  readonly #guess: RateGuess;
  #ramp: Ramp | undefined;
  #everybody: Everybody | undefined;
  readonly #later: LaterTasks;
  readonly #tally: RuleImpact | undefined;
  readonly #spending: Spending;
  /** For a trial with a trigger: all units in scope, whether or not the fix could act on them. */
  readonly #inScope: ArmCounts;
  /** Totals at the time a person extended the trial. */
  #excused: ArmFigures;
  readonly #idle: IdleWatch;
  #open: OpenTimes;
  readonly #ruling: Ruling;
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
    this.#arrival = new Arrival(this.#rhos, snapshot?.arrival);
    this.#holdout = new Holdout(trial.unit, this.#rhos, snapshot?.holdout);
    this.#guess = new RateGuess(snapshot?.guess);
    if (snapshot) this.#bet = ArmBet.restore(snapshot.bet);
    else {
      this.#guess.add(trial.past.tasks, trial.past.failures);
      this.#bet = new ArmBet(betOptionsOf(trial));
      this.#bet.seed([trial.trigger ? TRIGGERED_PAST : trial.past]);
    }
    if (trial.phase === 'ramp' && trial.unit === 'block')
      this.#ramp = new Ramp(trial, this.#rhos, snapshot?.ramp ?? undefined);
    if (snapshot?.everybody) this.#everybody = new Everybody(trial, 0, snapshot.everybody);
    this.#later = new LaterTasks(snapshot?.later);
    if (trial.unit === 'session') this.#tally = new RuleImpact(snapshot?.tally);
    this.#spending = new Spending(snapshot?.spending);
    this.#inScope = new ArmCounts(snapshot?.inScope);
    this.#excused = snapshot?.excused ?? NO_UNITS;
    this.#idle = new IdleWatch(snapshot?.idle);
    this.#open = new OpenTimes(snapshot?.open);
    this.#ruling = new Ruling(snapshot?.ruling ?? undefined);
    this.course = new TrialCourse(snapshot?.course);
  }

  get trial(): Trial {
    return this.#trial;
  }

  get ruling(): Conclusion | undefined {
    return this.#ruling.now;
  }

  /** Continues as the ledger says: with another share, in another phase, or past a deadline that a person extended. */
  follow(trial: Trial): void {
    const before = this.#trial;
    // Ends before the new phase belong to the old one. This also holds in a replay without an `advance` in between.
    if (trial.phaseSinceMs !== before.phaseSinceMs) this.advance(trial.phaseSinceMs, trial.phaseSinceMs, 0);
    this.#trial = trial;
    this.queue.follow(trial);
    this.#followKinds(trial, before);
    if (trial.blockMs !== before.blockMs) this.#beginAgain(trial);
    if (trial.phase !== before.phase) {
      this.#ruling.lift();
      this.#holdout.restart(this.#bet.figures().fix);
      this.#followPhase(trial);
    } else if (trial.share !== before.share) {
      this.#ruling.liftShare();
      this.#holdout.follow(trial.share, this.#guess.rate);
    } else if (trial.deadlineMs > before.deadlineMs && this.ruling?.kind === 'inconclusive') {
      this.#ruling.lift();
      this.#excused = this.#bet.seen;
    }
  }

  #followPhase(trial: Trial): void {
    const { phase, unit } = trial;
    this.#ramp = phase === 'ramp' && unit === 'block' ? new Ramp(trial, this.#rhos) : undefined;
    if (phase === 'ramp' && unit === 'task') this.#everybody = new Everybody(trial, gainOf(this.#bet.figures()));
  }

  /** Follows which kinds of task are excluded, and which are in doubt after the confirmation. */
  #followKinds(trial: Trial, before: Trial): void {
    const { except = [] } = trial.scope;
    const spared = except.length - (before.scope.except?.length ?? 0);
    if (spared === 0 && trial.doubted?.length === before.doubted?.length) return;
    this.#kinds.follow(except, trial.doubted);
    this.#ruling.lift();
    if (spared > 0) this.#restartBets();
  }

  /**
   * Begins again with blocks of another length. Capital that the bet has won is forgotten, and what it has lost stays
   * lost. So the fresh bet is never worth more than the one before, which keeps `alpha` exact.
   */
  #beginAgain(trial: Trial): void {
    const alpha = trial.alpha * Math.min(1, this.#bet.eHelp);
    this.queue = new UnitQueue(trial);
    this.#bet = new ArmBet(betOptionsOf({ ...trial, alpha }));
    this.#bet.seed([trial.past]);
    this.#arrival.restart();
    this.#open = new OpenTimes();
    this.#wonAmong = 0;
    this.#excused = NO_UNITS;
    this.#ruling.lift();
  }

  /** Judges the kinds of tasks that are left without the evidence of an excluded one. */
  #restartBets(): void {
    if (this.#guards.fired) this.#guards = new GuardMetrics(this.#rhos, this.#trial.waitsMs);
    this.#bet = ArmBet.goingOn(this.#bet.snapshot());
    this.#arrival.restart();
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
    const arrived = this.ruling?.kind === 'failed' ? this.ruling.counts : undefined;
    return {
      ...this.#bet.figures(),
      ...(this.#trial.trigger && !arrived && { inScope: this.#inScope.snapshot() }),
      ...arrived,
      eHarm: this.#eHarm,
      guards: [...this.#guards.figures(), this.#moved.figures()],
      ...(this.#ramp && { eInterference: this.#ramp.evidence }),
      ...(this.#everybody && { byShare: this.#everybody.figures }),
      ...(this.#later.figures && { later: this.#later.figures }),
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
    return this.ruling && continued(this.#trial, this.ruling, holdout, this.#holdout.shareAsleep(holdout));
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
      arrival: this.#arrival.snapshot(),
      holdout: this.#holdout.snapshot(),
      guess: this.#guess.snapshot(),
      ramp: this.#ramp?.snapshot() ?? null,
      spending: this.#spending.snapshot(),
      inScope: this.#inScope.snapshot(),
      excused: this.#excused,
      ruling: this.ruling ?? null,
      course: this.course.snapshot(),
      idle: this.#idle.snapshot(),
      ...(this.#trial.unit === 'block' && { open: this.#open.snapshot() }),
      ...(this.#everybody && { everybody: this.#everybody.snapshot() }),
      ...(this.#later.isUsed && { later: this.#later.snapshot() }),
      ...(this.#tally && { tally: this.#tally.snapshot() }),
    };
  }

  #betOnArrival(unit: Unit, nowMs: number): void {
    if (unit.mixed || unit.tasks.length === 0 || this.#trial.phase !== 'running' || this.ruling) return;
    if (this.#kinds.exclusionOf(unit, this.#trial)) return;
    this.#arrival.take(endedUnit(unit), this.#guess.rate);
    const counts = this.#arrival.harm(() => this.queue.running());
    if (counts) this.#fail('harm', nowMs, counts);
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
    if (this.#ruling.isFinal) return;
    const { acts, phase } = this.#trial;
    if (acts && phase === 'running' && this.#idle.take(unit, acts)) this.#rule({ kind: 'void', atMs: nowMs });
    const canAct = this.#canActOn(unit);
    this.#guard(unit, ended, canAct, nowMs);
    const harmed = canAct ? this.#kinds.harmed(unit, this.#trial) : undefined;
    if (harmed) this.#rule({ kind: 'spare', ...harmed, atMs: nowMs });
    switch (this.#trial.phase) {
      case 'running':
        this.#takeRunning(unit, ended, canAct, nowMs);
        return;
      case 'ramp':
        this.#found(this.#holdout.ring(ended, rate), nowMs);
        this.#takeRamp(unit, ended, nowMs);
        return;
      case 'holdout':
        if (isDoubted(this.#trial, unit.tasks[0]?.scope ?? {})) {
          this.#judgeDoubt(nowMs);
          return;
        }
        this.#found(this.#holdout.take(ended, rate, this.#trial, holdout), nowMs);
        return;
      default:
        this.#trial.phase satisfies never;
    }
  }

  /** Rules that a kind of task is no longer in doubt. Its own bets judge it meanwhile, not those of the holdout. */
  #judgeDoubt(atMs: number): void {
    const trusted = this.#kinds.trusted(this.#trial);
    if (trusted) this.#rule({ kind: 'trust', ...trusted, atMs });
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

  #takeRunning(unit: Unit, ended: EndedUnit, canAct: boolean, nowMs: number): void {
    // After the confirmation, the fix is monitored on all tasks, whether or not it could act on them.
    this.#holdout.practise(ended);
    const { follows } = unit.tasks[0] ?? {};
    if (follows !== undefined) this.#later.add(follows, ended, ended.failures > 0);
    if (this.#trial.trigger) this.#inScope.add(ended);
    if (!canAct) return;
    if (this.#mustLengthen(unit, nowMs)) return;
    const { features } = unit.tasks[0] ?? {};
    const decision = this.#bet.push({ seq: this.#bet.units, ...ended, ...(features && { features }) });
    const { seen, ratio, enough } = this.#bet;
    this.#lean(nowMs);
    if (decision === 'confirmed') this.#confirm(ended.tasks, nowMs);
    else if (decision === 'failed') this.#fail(this.#bet.why ?? 'harm', nowMs);
    else if (isGivenUp(this.#trial, { seen, excused: this.#excused, ratio, enough })) {
      this.#rule({ kind: 'inconclusive', why: 'enough-failures-seen', atMs: nowMs });
    }
  }

  /** Rules that the likely better choice of models gets more of the tasks. The bet is valid at any share drawn before. */
  #lean(atMs: number): void {
    const { choosesModels, share } = this.#trial;
    if (choosesModels !== true) return;
    const { eHelp, eNone } = this.#bet;
    if (eHelp >= LOOKS_BETTER && share <= EVEN_SHARE) this.#rule({ kind: 'more', atMs });
    else if (eNone >= LOOKS_USELESS && share >= EVEN_SHARE) this.#rule({ kind: 'fewer', atMs });
  }

  /** Rules that blocks get longer if tasks of the fix are open for too large a part of them. */
  #mustLengthen(unit: Unit, atMs: number): boolean {
    if (this.#trial.unit !== 'block') return false;
    this.#open.add(unit);
    const blockMs = this.#open.neededBlockMs(this.#trial);
    if (blockMs !== undefined) this.#rule({ kind: 'lengthen', blockMs, atMs });
    return blockMs !== undefined;
  }

  /** Returns whether the fix can act on the unit. In a trial with a trigger, a unit is a single task. */
  #canActOn(unit: Unit): boolean {
    const { trigger } = this.#trial;
    return trigger === undefined || isTriggered(unit.tasks[0]?.end, trigger);
  }

  /**
   * Confirms the fix. Waits for a while if a kind of task does not yet show the effect, or if failures may have moved.
   * If later tasks of sessions still seem to fail more after it then, it fails.
   */
  #confirm(tasks: number, nowMs: number): void {
    const hasWaited = this.#wonAmong >= LONGEST_DOUBT;
    // The suspicion is by two standard errors, which chance seldom keeps for so long.
    if (hasWaited && this.#later.isSuspected) {
      this.#rule({ kind: 'failed', why: 'interference', atMs: nowMs });
      return;
    }
    const isInDoubt = this.#later.isSuspected || this.#moved.isInDoubt(this.#trial, hasWaited);
    if (isInDoubt || (!hasWaited && this.#kinds.isInDoubt)) {
      this.#wonAmong += tasks;
      return;
    }
    const doubted = this.#kinds.doubted(this.#trial);
    if (this.#trial.unit === 'block' || mayTakeFromControl(this.#trial, this.#bet.figures()))
      this.#rule({ kind: 'ramp', atMs: nowMs });
    else this.#rule({ kind: 'confirmed', atMs: nowMs, ...(doubted.length > 0 && { doubted }) });
  }

  /** Rejects the fix. If it fails overall but helps one kind of task, excludes only the worst kind. */
  #fail(why: 'harm' | 'no-effect', atMs: number, counts?: ArmCountsSnapshot): void {
    const worst = this.#kinds.worst(this.#trial);
    this.#rule(worst ? { kind: 'spare', ...worst, atMs } : { kind: 'failed', why, atMs, ...(counts && { counts }) });
  }

  #takeRamp(unit: Unit, ended: EndedUnit, nowMs: number): void {
    const found = this.#ramp?.take(unit, ended) ?? this.#everybody?.take(unit.tasks[0]?.atMs ?? 0, ended);
    if (found === 'interference') this.#rule({ kind: 'failed', why: 'interference', atMs: nowMs });
    else if (found === 'none') this.#rule({ kind: 'confirmed', atMs: nowMs });
  }

  #found(finding: HoldoutFinding | undefined, atMs: number): void {
    if (finding !== undefined) this.#rule(conclusionOf(finding, atMs));
  }

  #rule(conclusion: Conclusion): void {
    this.#ruling.conclude(conclusion, this.#trial);
  }

  #isPastDeadline(nowMs: number): boolean {
    if (this.ruling || this.#trial.phase !== 'running' || nowMs <= this.#trial.deadlineMs) return false;
    const { openedMs, deadlineMs } = this.#trial;
    return this.#bet.eHelp < PROMISING || nowMs > openedMs + LONGER * (deadlineMs - openedMs);
  }
}

function neverEnded(task: TrialTask): TaskEnd {
  return { failed: true, atMs: task.deadlineMs };
}
