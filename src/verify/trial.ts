import type { Arm, ArmFigures, GuardName, Trial, TrialFigures, Verdict } from '../records.js';
import { ArmBet, type ArmBetSnapshot, HARM_RATIOS, SINGLE_RHO, UNIT_RHOS } from './arm-bet.js';
import { Capital, type EndedUnit } from './capital.js';
import { Guards, type GuardsSnapshot } from './guards.js';
import { ENOUGH_BLOCKS, ENOUGH_FAILURES, ENOUGH_SESSIONS, ENOUGH_TASKS, patienceOf } from './limits.js';
import { Ramp, type RampSnapshot } from './ramp.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import { Tally, type TallySnapshot } from './tally.js';
import { type TaskEnd, type TrialTask, type Unit, UnitQueue, type UnitQueueSnapshot } from './unit-queue.js';

const HARM_NEEDED = 20;
/** The alarm on a confirmed fix runs for ever, so it needs more: one false alarm in 10,000 units at most, on average. */
const ALARM_NEEDED = 10_000;
/** The hold-back after a confirmation: its share, for how many tasks. */
const FIRST_HOLD_BACK = 0.1;
const FIRST_HOLD_BACK_TASKS = 1_000;
const RAMP_SHARE = 0.9;

type RejectedWhy = Extract<Verdict, { kind: 'rejected' }>['why'];

/** What has been reached in the present phase; stays until the trial is opened in another one or closed. */
export type Ruling = { readonly atMs: number } & (
  | { readonly kind: 'confirmed' }
  /** After the confirmation; with `guard` where it is not failures that became worse. */
  | { readonly kind: 'alarm'; readonly guard?: GuardName }
  | { readonly kind: 'ramp' }
  | { readonly kind: 'less-hold-back' }
  | { readonly kind: 'rejected'; readonly why: RejectedWhy; readonly guard?: GuardName }
  | { readonly kind: 'unproven'; readonly why: 'deadline' | 'enough-failures-seen' }
);

type Spent = { ms: number; timed: number; usd: number; priced: number };

export interface RunningTrialSnapshot {
  readonly trial: Trial;
  readonly bet: ArmBetSnapshot;
  readonly seq: number;
  readonly queue: UnitQueueSnapshot;
  readonly guards: GuardsSnapshot;
  readonly arrival: readonly number[];
  readonly alarm: readonly number[];
  readonly guess: RateGuessSnapshot;
  readonly ramp: RampSnapshot | null;
  readonly spent: Readonly<Record<Arm, Readonly<Spent>>>;
  readonly heldBackAmong: number;
  readonly excused: ArmFigures;
  readonly ruling: Ruling | null;
  /** Of rules only. */
  readonly tally?: TallySnapshot;
}

/** One trial as it runs: takes its units in order, bets on them, and rules when something is reached. */
export class RunningTrial {
  #trial: Trial;
  readonly queue: UnitQueue;
  readonly #bet: ArmBet;
  readonly #rhos: readonly number[];
  readonly #guards: Guards;
  /**
   * Harm in the order in which units ended, so that a slow unit holds up no alarm. On failures alone: successes that
   * merely come later in the fix arm must not look like harm.
   */
  readonly #arrival: Capital;
  #alarm: Capital;
  /** Of control's failure rate; goes on when the bet is over. */
  readonly #guess: RateGuess;
  #ramp: Ramp | undefined;
  readonly #tally: Tally | undefined;
  readonly #spent: Record<Arm, Spent>;
  #seq: number;
  #heldBackAmong: number;
  /** Seen before a person extended the trial. */
  #excused: ArmFigures;
  #ruling: Ruling | undefined;

  constructor(trial: Trial, snapshot?: RunningTrialSnapshot) {
    this.#trial = trial;
    this.queue = new UnitQueue(trial, snapshot?.queue);
    this.#rhos = trial.unit === 'task' ? SINGLE_RHO : UNIT_RHOS;
    this.#guards = new Guards(this.#rhos, snapshot?.guards);
    this.#arrival = new Capital(HARM_RATIOS, this.#rhos, snapshot?.arrival);
    this.#alarm = new Capital(HARM_RATIOS, this.#rhos, snapshot?.alarm);
    this.#guess = snapshot ? RateGuess.restore(snapshot.guess) : guessFrom(trial);
    if (snapshot) this.#bet = ArmBet.restore(snapshot.bet);
    else {
      this.#bet = new ArmBet({ unit: trial.unit, alpha: trial.alpha });
      this.#bet.seed([trial.past]);
    }
    if (trial.phase === 'ramp') this.#ramp = new Ramp(trial, this.#rhos, snapshot?.ramp ?? undefined);
    if (trial.unit === 'session') this.#tally = new Tally(snapshot?.tally);
    const nothing = { ms: 0, timed: 0, usd: 0, priced: 0 };
    this.#spent = {
      fix: { ...(snapshot?.spent.fix ?? nothing) },
      control: { ...(snapshot?.spent.control ?? nothing) },
    };
    this.#seq = snapshot?.seq ?? 0;
    this.#heldBackAmong = snapshot?.heldBackAmong ?? 0;
    this.#excused = { ...(snapshot?.excused ?? { failures: 0, tasks: 0, units: 0 }) };
    this.#ruling = snapshot?.ruling ?? undefined;
  }

  get trial(): Trial {
    return this.#trial;
  }

  get ruling(): Ruling | undefined {
    return this.#ruling;
  }

  /** Goes on as the ledger says: with another share, in another phase, or past a deadline that a person extended. */
  follow(trial: Trial): void {
    const before = this.#trial;
    // What ended before the new phase belongs to the old one, also where a ledger is replayed and nobody looked between.
    if (trial.phase !== before.phase) this.advance(trial.phaseSinceMs, trial.phaseSinceMs, 0);
    this.#trial = trial;
    this.queue.follow(trial);
    if (trial.phase !== before.phase) {
      this.#ruling = undefined;
      this.#alarm = new Capital(HARM_RATIOS, this.#rhos);
      this.#ramp = trial.phase === 'ramp' ? new Ramp(trial, this.#rhos) : undefined;
      this.#heldBackAmong = 0;
    } else if (trial.share !== before.share && this.#ruling?.kind === 'less-hold-back') {
      this.#ruling = undefined;
    } else if (trial.deadlineMs > before.deadlineMs && this.#ruling?.kind === 'unproven') {
      this.#ruling = undefined;
      this.#excused = this.#bet.seen;
    }
  }

  /** Bets on every unit whose turn has come. `holdBack` is the share of control once a fix has proven itself. */
  advance(nowMs: number, watermarkMs: number, holdBack: number): void {
    this.queue.number(watermarkMs);
    for (const unit of this.queue.ended(watermarkMs)) this.#betOnArrival(unit, nowMs);
    for (let unit = this.queue.next(watermarkMs); unit; unit = this.queue.next(watermarkMs)) {
      if (!unit.mixed && unit.tasks.length > 0) this.#take(unit, nowMs, holdBack);
    }
    if (this.#isPastDeadline(nowMs)) {
      this.#rule({ kind: 'unproven', why: 'deadline', atMs: nowMs });
    }
  }

  /** Whether `advance` would change anything without another record. */
  isDue(nowMs: number, watermarkMs: number): boolean {
    return this.#isPastDeadline(nowMs) || this.queue.isDue(watermarkMs);
  }

  figures(): TrialFigures {
    const { fix, control } = this.#spent;
    const alarmed = this.#trial.phase !== 'running';
    return {
      ...this.#bet.figures(),
      eHarm: Math.max(this.#bet.eHarm, this.#arrival.value),
      guards: this.#guards.figures(),
      ...(this.#ramp && { eInterference: this.#ramp.evidence }),
      ...(alarmed && { eAlarm: this.#alarm.value }),
      ...(fix.timed > 0 && control.timed > 0 && { extraMs: fix.ms / fix.timed - control.ms / control.timed }),
      ...(fix.priced > 0 && control.priced > 0 && { extraUsd: fix.usd / fix.priced - control.usd / control.priced }),
      ...(this.#tally && { counters: this.#tally.counters }),
    };
  }

  /** The trial as it should go on after the ruling; undefined where it should not. */
  nextTrial(holdBack: number): Trial | undefined {
    const { ruling } = this;
    const since = ruling && { phaseSinceMs: ruling.atMs };
    switch (ruling?.kind) {
      case 'ramp':
        return { ...this.#trial, ...since, phase: 'ramp', share: RAMP_SHARE };
      case 'confirmed':
        return { ...this.#trial, ...since, phase: 'hold-back', share: 1 - Math.max(FIRST_HOLD_BACK, holdBack) };
      case 'less-hold-back':
        return { ...this.#trial, share: 1 - holdBack };
      default:
        return undefined;
    }
  }

  snapshot(): RunningTrialSnapshot {
    return {
      trial: this.#trial,
      bet: this.#bet.snapshot(),
      seq: this.#seq,
      queue: this.queue.snapshot(),
      guards: this.#guards.snapshot(),
      arrival: [...this.#arrival.logs],
      alarm: [...this.#alarm.logs],
      guess: this.#guess.snapshot(),
      ramp: this.#ramp?.snapshot() ?? null,
      spent: { fix: { ...this.#spent.fix }, control: { ...this.#spent.control } },
      heldBackAmong: this.#heldBackAmong,
      excused: { ...this.#excused },
      ruling: this.#ruling ?? null,
      ...(this.#tally && { tally: this.#tally.snapshot() }),
    };
  }

  #betOnArrival(unit: Unit, nowMs: number): void {
    if (unit.mixed || unit.tasks.length === 0 || this.#trial.phase !== 'running' || this.#ruling) return;
    const { arm, share, failures } = endedUnit(unit);
    if (failures === 0) return;
    this.#arrival.bet({ arm, share, tasks: failures, failures }, this.#guess.rate);
    if (this.#arrival.reaches(Math.log(HARM_NEEDED))) this.#rule({ kind: 'rejected', why: 'harm', atMs: nowMs });
  }

  #take(unit: Unit, nowMs: number, holdBack: number): void {
    const ended = endedUnit(unit);
    const rate = this.#guess.rate;
    if (unit.arm === 'control') this.#guess.add(ended.tasks, ended.failures);
    this.#addSpent(unit);
    this.#tally?.add(ended, overMs(unit));
    if (this.#ruling && this.#ruling.kind !== 'less-hold-back') return;
    this.#guard(unit, nowMs);
    switch (this.#trial.phase) {
      case 'running':
        this.#takeRunning(ended, nowMs);
        return;
      case 'ramp':
        this.#ring(ended, rate, nowMs);
        this.#takeRamp(unit, ended, nowMs);
        return;
      case 'hold-back':
        this.#ring(ended, rate, nowMs);
        this.#heldBackAmong += ended.tasks;
        if (this.#heldBackAmong >= FIRST_HOLD_BACK_TASKS && this.#trial.share < 1 - holdBack) {
          this.#rule({ kind: 'less-hold-back', atMs: nowMs });
        }
        return;
      default:
        this.#trial.phase satisfies never;
    }
  }

  /** What the fix makes worse besides failures, before and after its confirmation. */
  #guard(unit: Unit, nowMs: number): void {
    const ends = unit.tasks.map((task) => task.end ?? neverEnded(task));
    this.#guards.bet(unit.arm, unit.share, ends, this.#trial.phase !== 'running');
    const guard = this.#guards.fired;
    if (!guard) return;
    if (this.#trial.phase === 'running') this.#rule({ kind: 'rejected', why: 'guard', guard, atMs: nowMs });
    else this.#rule({ kind: 'alarm', guard, atMs: nowMs });
  }

  #takeRunning(ended: EndedUnit, nowMs: number): void {
    const decision = this.#bet.push({ seq: this.#seq++, ...ended });
    if (decision === 'confirmed') {
      this.#rule({ kind: this.#trial.unit === 'block' ? 'ramp' : 'confirmed', atMs: nowMs });
    } else if (decision === 'rejected') this.#rule({ kind: 'rejected', why: this.#bet.why ?? 'harm', atMs: nowMs });
    else if (this.#hasSeenEnough()) this.#rule({ kind: 'unproven', why: 'enough-failures-seen', atMs: nowMs });
  }

  #takeRamp(unit: Unit, ended: EndedUnit, nowMs: number): void {
    const found = this.#ramp?.take(unit, ended);
    if (found === 'interference') this.#rule({ kind: 'rejected', why: 'interference', atMs: nowMs });
    else if (found === 'none') this.#rule({ kind: 'confirmed', atMs: nowMs });
  }

  #ring(ended: EndedUnit, rate: number, nowMs: number): void {
    this.#alarm.bet(ended, rate);
    this.#alarm.forgetLosses();
    if (this.#alarm.reaches(Math.log(ALARM_NEEDED))) this.#rule({ kind: 'alarm', atMs: nowMs });
  }

  #hasSeenEnough(): boolean {
    const { failures, tasks, units } = this.#bet.seen;
    const patience = patienceOf(this.#trial.alpha);
    const enough = (seen: number, before: number, limit: number) => seen - before >= limit * patience;
    const { unit } = this.#trial;
    // A session says less than its many tasks would one by one, so it is sessions that are counted.
    if (unit === 'session') return enough(units, this.#excused.units, ENOUGH_SESSIONS);
    if (unit === 'block' && !enough(units, this.#excused.units, ENOUGH_BLOCKS)) return false;
    return (
      enough(failures, this.#excused.failures, ENOUGH_FAILURES) && enough(tasks, this.#excused.tasks, ENOUGH_TASKS)
    );
  }

  /** The first ruling of a phase stands; only an alarm overrides a mere change of share. */
  #rule(ruling: Ruling): void {
    if (!this.#ruling || (this.#ruling.kind === 'less-hold-back' && ruling.kind === 'alarm')) this.#ruling = ruling;
  }

  #isPastDeadline(nowMs: number): boolean {
    return this.#ruling === undefined && this.#trial.phase === 'running' && nowMs > this.#trial.deadlineMs;
  }

  #addSpent(unit: Unit): void {
    const spent = this.#spent[unit.arm];
    for (const { end } of unit.tasks) {
      if (end?.durationMs !== undefined) [spent.timed, spent.ms] = [spent.timed + 1, spent.ms + end.durationMs];
      if (end?.costUsd !== undefined) [spent.priced, spent.usd] = [spent.priced + 1, spent.usd + end.costUsd];
    }
  }
}

function endedUnit(unit: Unit): EndedUnit {
  let failures = 0;
  for (const { end } of unit.tasks) if (!end || end.failed) failures++;
  return { arm: unit.arm, share: unit.share, tasks: unit.tasks.length, failures };
}

function overMs(unit: Unit): number {
  return Math.max(...unit.tasks.map((task) => task.end?.atMs ?? task.deadlineMs));
}

function neverEnded(task: TrialTask): TaskEnd {
  return { failed: true, atMs: task.deadlineMs };
}

function guessFrom(trial: Trial): RateGuess {
  const guess = new RateGuess();
  guess.add(trial.past.tasks, trial.past.failures);
  return guess;
}
