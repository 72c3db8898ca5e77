import type { Arm } from '../contract/start.js';
import type { GuardFigures, GuardName } from '../contract/verdict.js';
import { BettingMartingale, LARGEST_LOG, logMean } from './betting-martingale.js';
import { priorOf, RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import { RecentValues } from './recent-values.js';
import type { TaskEnd } from './task-end.js';

type Measured = Exclude<GuardName, 'other-tasks' | 'waits'>;
const GUARDS: readonly Measured[] = ['duration', 'tokens', 'cost', 'quality'];
/** E-value needed for harm. The harm bet needs 20, and each of four simultaneous guards needs four times that. */
const NEEDED = 80; // 20 times four guards
/**
 * Threshold for harm after the confirmation. These bets forget losses: one false alarm in 10,000 units over all guards.
 */
const LATE_NEEDED = 40_000;
const LOG_NEEDED = /* @__PURE__ */ Math.log(NEEDED);
const LOG_LATE_NEEDED = /* @__PURE__ */ Math.log(LATE_NEEDED);
/**
 * Supposed increases in the mean badness of tasks. For example, a mean that rises from 0.5 to 0.58 is a ratio of 1.15.
 */
const WORSE_RATIOS: readonly number[] = [1.15, 1.3, 1.6];
/** Supposed remaining shares of the tasks that end well. */
const FEWER_RATIOS: readonly number[] = [0.7, 0.4];
/** Quantile of control's successes that counts as ending well. */
const WELL = 0.25;
/**
 * Supposed increase in extreme tasks: those above this multiple of control's 95th percentile. A task that a retry
 * rescued takes several times as long, so durations must be further away.
 */
const EXTREME_RATIOS: Readonly<Record<Exclude<Measured, 'quality'>, readonly number[]>> = {
  duration: [16],
  tokens: [4],
  cost: [4],
};
const EXTREME: Readonly<Partial<Record<Measured, number>>> = { duration: 4, tokens: 2.5, cost: 2.5 };
const EXTREME_QUANTILE = 0.95;
/** Shorter durations count as this long: a call of microseconds that takes twice as long harms no user. */
export const LEAST_MS = 10;
/** Values up to this factor larger count as equal, so a guard does not fail a fix over a few percent. */
const TOLERANCE = 1.1;
const QUALITY_TOLERANCE = 0.25;
const BEST_QUALITY = 5;
const WORST_QUALITY = 1;
/** Decay per control success: half-life of 50 successes. */
const KNOWN_DECAY = 2 ** (-1 / 50);

/** Random assignment of the tasks in a bet. */
interface Draw {
  readonly arm: Arm;
  readonly share: number;
  readonly isConfirmed: boolean;
}

interface MeasureSnapshot {
  readonly logs: readonly number[];
  readonly lateLogs: readonly number[];
  readonly guess: RateGuessSnapshot;
}

interface GuardSnapshot {
  readonly worse: MeasureSnapshot;
  readonly fewer: MeasureSnapshot;
  readonly waits: MeasureSnapshot | null;
  readonly extreme: (MeasureSnapshot & { readonly recent: readonly number[] }) | null;
  readonly recent: readonly number[];
  readonly known: number;
  readonly successes: number;
}

export interface GuardMetricsSnapshot {
  readonly guards: readonly GuardSnapshot[];
}

/**
 * Guards against fixes that trade fewer failures for slower, more expensive or worse answers. Active during the trial,
 * and afterwards while some tasks are held back from the fix.
 */
export class GuardMetrics {
  readonly #guards: readonly Guard[];

  /** @param waitsMs Longest wait that the fix imposes on purpose; undefined if it imposes none. */
  constructor(rhos: readonly number[], waitsMs: number | undefined, snapshot?: GuardMetricsSnapshot) {
    this.#guards = GUARDS.map((name, index) => {
      const wait = name === 'duration' ? waitsMs : undefined;
      return new Guard(name, rhos, wait, snapshot?.guards[index]);
    });
  }

  /** Bets on the tasks of one unit. If `isConfirmed`, also looks for harm that begins from now on. */
  bet(arm: Arm, share: number, ends: readonly TaskEnd[], isConfirmed: boolean): void {
    const draw = { arm, share, isConfirmed };
    for (const guard of this.#guards) guard.bet(draw, ends);
  }

  /** First guard with enough evidence of harm, over the whole trial or since the confirmation. */
  get fired(): GuardName | undefined {
    for (const guard of this.#guards) if (guard.hasFired) return guard.name;
    return undefined;
  }

  figures(): readonly GuardFigures[] {
    return this.#guards.map((guard) => ({ guard: guard.name, eHarm: asValue(guard.log), needed: NEEDED }));
  }

  snapshot(): GuardMetricsSnapshot {
    return { guards: this.#guards.map((guard) => guard.snapshot()) };
  }
}

/**
 * One guarded measure: mean capital of two or three bets. A failed task ranks worst in both arms, so a slow success is
 * no worse than the failure it replaces.
 *
 * `worse` bets on the rank among control's successes. It detects any shift, but many avoided failures may mask one.
 * `fewer` bets on tasks that end well (for the duration: the quick ones). If everything became slower, avoiding
 * failures adds no quick tasks. `extreme` bets on tasks that took or cost several times the usual, including failed
 * ones. A failed task must be redone, so it is charged one median success on top. A retry is therefore worth its price.
 * Waits between attempts do not count there: what they are worth is bounded by the price of a failure.
 *
 * A fix that lets tasks wait instead of failing makes most of them slower, by design. For such a fix, a wait counts as
 * its share of the longest wait and a failure as the whole of it. The other bets then use durations without waits.
 */
class Guard {
  readonly name: Measured;
  readonly #worse: Measure;
  readonly #fewer: Measure;
  /** For a fix that waits on purpose only: the bet on its waits, with the longest one. */
  readonly #waits: { readonly measure: Measure; readonly longestMs: number } | undefined;
  /** For all but quality: the bet on extreme tasks, with recent prices or durations of control's tasks. */
  readonly #extreme: { readonly measure: Measure; readonly recent: RecentValues } | undefined;
  readonly #measures: readonly Measure[];
  /** Values of control's successes; lower is better. */
  readonly #recent: RecentValues;
  /** Decaying counts of control's successes: those with a value, and all of them. */
  #known: number;
  #successes: number;

  constructor(name: Measured, rhos: readonly number[], waitsMs: number | undefined, snapshot?: GuardSnapshot) {
    this.name = name;
    this.#worse = new Measure(WORSE_RATIOS, rhos, name === 'quality' ? 0.2 : 0.5, snapshot?.worse);
    this.#fewer = new Measure(FEWER_RATIOS, rhos, WELL, snapshot?.fewer);
    this.#recent = new RecentValues(snapshot?.recent);
    this.#known = snapshot?.known ?? 0;
    this.#successes = snapshot?.successes ?? 0;
    if (waitsMs !== undefined) {
      const measure = new Measure(WORSE_RATIOS, rhos, 0.2, snapshot?.waits ?? undefined);
      this.#waits = { measure, longestMs: waitsMs };
    }
    if (name !== 'quality') {
      const before = snapshot?.extreme ?? undefined;
      const measure = new Measure(EXTREME_RATIOS[name], rhos, 0, before);
      this.#extreme = { measure, recent: new RecentValues(before?.recent) };
    }
    const more = [this.#extreme, this.#waits].flatMap((bet) => bet?.measure ?? []);
    this.#measures = [this.#worse, this.#fewer, ...more];
  }

  get log(): number {
    return logMean(this.#measures.map(({ capital }) => capital.log));
  }

  /** Whether the mean of the bets is large enough. It can be only if one of them is, which costs less to check. */
  get hasFired(): boolean {
    for (const { isLarge } of this.#measures) {
      if (isLarge && (this.log >= LOG_NEEDED || this.#lateLog >= LOG_LATE_NEEDED)) return true;
    }
    return false;
  }

  get #lateLog(): number {
    return logMean(this.#measures.map(({ late }) => late.log));
  }

  bet(draw: Draw, ends: readonly TaskEnd[]): void {
    const limit = this.#recent.quantile(WELL);
    if (limit !== undefined) this.#betOnTasks(draw, ends, limit);
    this.#betOnPrices(draw, ends);
    this.#betOnWaits(draw, ends);
    if (draw.arm === 'control') this.#learn(ends);
  }

  snapshot(): GuardSnapshot {
    return {
      worse: this.#worse.snapshot(),
      fewer: this.#fewer.snapshot(),
      waits: this.#waits?.measure.snapshot() ?? null,
      extreme: this.#extreme ? { ...this.#extreme.measure.snapshot(), recent: this.#extreme.recent.list() } : null,
      recent: this.#recent.list(),
      known: this.#known,
      successes: this.#successes,
    };
  }

  #betOnTasks(draw: Draw, ends: readonly TaskEnd[], limit: number): void {
    // Failures usually carry no quality or cost, so they are weighted by the share of successes that carry a value.
    const known = this.#known / this.#successes;
    let tasks = 0;
    let badness = 0;
    let well = 0;
    for (const end of ends) {
      const value = this.#value(end);
      if (end.failed) {
        tasks += known;
        badness += known;
      } else if (value !== undefined) {
        tasks++;
        badness += this.#badness(value);
        if (this.#lessTolerance(value) <= limit) well++;
      }
    }
    if (tasks === 0) return;
    this.#worse.bet(draw, tasks, badness);
    this.#fewer.bet(draw, tasks, well);
  }

  #betOnPrices(draw: Draw, ends: readonly TaskEnd[]): void {
    const success = this.#recent.quantile(0.5);
    if (!this.#extreme || success === undefined) return;
    const { measure, recent } = this.#extreme;
    const usual = recent.quantile(EXTREME_QUANTILE);
    const prices: number[] = [];
    for (const end of ends) {
      const value = this.#price(end);
      if (value !== undefined) prices.push(value + (end.failed ? success : 0));
    }
    if (usual !== undefined && prices.length > 0) {
      const most = (EXTREME[this.name] ?? 1) * usual;
      const dear = prices.filter((price) => price > most).length;
      measure.bet(draw, prices.length, dear);
    }
    if (draw.arm === 'control') for (const price of prices) recent.add(price);
  }

  #betOnWaits(draw: Draw, ends: readonly TaskEnd[]): void {
    if (!this.#waits) return;
    const { measure, longestMs } = this.#waits;
    let badness = 0;
    for (const { failed, waitedMs = 0 } of ends) badness += failed ? 1 : Math.min(1, waitedMs / longestMs);
    measure.bet(draw, ends.length, badness);
  }

  #learn(ends: readonly TaskEnd[]): void {
    for (const end of ends) {
      if (end.failed) continue;
      const value = this.#value(end);
      this.#successes = this.#successes * KNOWN_DECAY + 1;
      this.#known = this.#known * KNOWN_DECAY + (value === undefined ? 0 : 1);
      if (value !== undefined) this.#recent.add(value);
    }
  }

  /** Returns the badness of a success, 0 to 1. Quality uses its own scale; the other measures use the rank. */
  #badness(value: number): number {
    if (this.name === 'quality') return (BEST_QUALITY + value) / (BEST_QUALITY - WORST_QUALITY);
    return this.#recent.rank(this.#lessTolerance(value)) ?? 0;
  }

  #lessTolerance(value: number): number {
    return this.name === 'quality' ? value - QUALITY_TOLERANCE : value / TOLERANCE;
  }

  /** Returns what the task took without waits, or cost. */
  #price(end: TaskEnd): number | undefined {
    const value = this.#value(end);
    if (this.name !== 'duration' || this.#waits || value === undefined) return value;
    return Math.max(LEAST_MS, value - (end.waitedMs ?? 0));
  }

  /** Returns the task's value, lower is better; undefined if the task has no value for this guard. */
  #value(end: TaskEnd): number | undefined {
    switch (this.name) {
      case 'duration':
        if (end.durationMs === undefined) return undefined;
        return Math.max(LEAST_MS, this.#waits ? end.durationMs - (end.waitedMs ?? 0) : end.durationMs);
      case 'tokens':
        return end.tokens;
      case 'cost':
        return end.costUsd;
      case 'quality':
        return end.quality === undefined ? undefined : -Math.min(BEST_QUALITY, Math.max(WORST_QUALITY, end.quality));
      default:
        return this.name satisfies never;
    }
  }
}

/**
 * Two bets on the same tasks: one over the whole trial, and one that forgets its losses. `rate` is a prior of control's.
 */
class Measure {
  readonly capital: BettingMartingale;
  readonly late: BettingMartingale;
  readonly #guess: RateGuess;
  /** Whether one of the bets is large enough for the guard. */
  isLarge: boolean;

  constructor(ratios: readonly number[], rhos: readonly number[], rate: number, snapshot?: MeasureSnapshot) {
    this.capital = new BettingMartingale(ratios, rhos, snapshot?.logs);
    this.late = new BettingMartingale(ratios, rhos, snapshot?.lateLogs);
    this.#guess = new RateGuess(snapshot?.guess ?? priorOf(rate));
    this.isLarge = this.#hasLargeBet();
  }

  bet({ arm, share, isConfirmed }: Draw, tasks: number, failures: number): void {
    const { rate } = this.#guess;
    const unit = { arm, share, tasks, failures };
    this.capital.bet(unit, rate);
    if (isConfirmed) {
      this.late.bet(unit, rate);
      this.late.forgetLosses();
    }
    this.isLarge = this.#hasLargeBet();
    if (arm === 'control') this.#guess.add(tasks, failures);
  }

  #hasLargeBet(): boolean {
    return this.capital.reaches(LOG_NEEDED) || this.late.reaches(LOG_LATE_NEEDED);
  }

  snapshot(): MeasureSnapshot {
    return { logs: [...this.capital.logs], lateLogs: [...this.late.logs], guess: this.#guess.snapshot() };
  }
}

/** Converts a log e-value to a number that JSON can represent. */
function asValue(log: number): number {
  return Math.exp(Math.min(log, LARGEST_LOG));
}
