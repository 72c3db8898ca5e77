import type { Arm } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import type { GuardFigures, GuardName } from '../contract/verdict.js';
import { LARGEST_LOG, logMean } from './betting-martingale.js';
import type { OtherTasks } from './other-tasks.js';
import { Recent, type RecentSnapshot } from './recent.js';
import { SESSION_MS, type Unit } from './unit-queue.js';

/** E-value needed, times the number of a trial's bets. Together they fail at most 1 in 20 harmless fixes. */
const NEEDED = 20;
/** Standard errors by which the returning failures must lie below the supposed amount before a confirmation. */
const CLEARLY = 2.3;
/** Share of the avoided failures supposed to return. Not all do, as some return where a task fails anyway. */
const PART = 0.7;
/** Below this share of units, follow-up tasks carry too little information to wait for. */
const LARGE = 0.1;
/** Tasks that begin later than this after the unit are ignored. */
const WINDOW_MS = 3_600_000;
/** Limit on sessions or sources whose last task is remembered. */
const MAX_KEYS = 1_000;
/** Limit on trial units counted before one other task. */
const MAX_LEADERS = 20;
/** Supposed correlation between tasks of a session or block. */
const UNIT_RHO = 0.2;
const LOWEST_RATE = 0.005;
const HIGHEST_RATE = 0.98;

/** Arm and result of a unit that the fix could act on. */
interface Leader {
  readonly arm: Arm;
  readonly share: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Newest trial task in a session or source. */
interface Last extends Leader {
  readonly begunMs: number;
  /** Which of the two alternating next-task bets it belongs to. */
  readonly turn: 0 | 1;
  /** Units since the newest other task, including this one. */
  readonly since: readonly Leader[];
}

type Counts = readonly [tasks: number, failures: number];

/** Sums of a regression of failures on how many of the leaders had the fix. */
interface Slope {
  readonly sum: number;
  readonly weight: number;
}

interface BetSnapshot {
  readonly log: number;
  readonly units: number;
  readonly slope: Slope;
  /** Counts of control, of the fix, and of the tasks after them. */
  readonly seen: readonly [Counts, Counts, Counts];
}

export interface MovedSnapshot {
  readonly bets: readonly BetSnapshot[];
  readonly last: RecentSnapshot<Last>;
  readonly units: number;
}

/**
 * Detects fixes that only move failures: to the next task, or to tasks of another name. Each bet supposes that most of
 * the avoided failures return there. If other tasks do not depend on the arm, no such bet wins on average.
 *
 * Single tasks: the next task in the same session (or source, without a session) is compared by the previous task's
 * arm. Two bets alternate, so neither uses the arm of a task whose result it has used. A task of another name is
 * compared by the arms of all trial tasks since the previous other task. Sessions and blocks: all other tasks in them
 * are compared by their arm.
 */
export class Moved {
  /**
   * For single tasks: two alternating bets on the next task, then one on tasks of other names. Otherwise only the last
   * one.
   */
  readonly #bets: readonly Bet[];
  readonly #last: Recent<Last>;
  /** Number of units that the fix could act on. */
  #units: number;

  constructor(unit: Trial['unit'], snapshot?: MovedSnapshot) {
    const count = unit === 'task' ? 3 : 1;
    this.#bets = Array.from({ length: count }, (_, index) => new Bet(snapshot?.bets[index]));
    this.#last = new Recent(MAX_KEYS, snapshot?.last);
    this.#units = snapshot?.units ?? 0;
  }

  /** Returns the guard's name once one bet has enough evidence that other tasks fail instead. */
  get fired(): GuardName | undefined {
    const needed = Math.log(NEEDED * this.#bets.length);
    return this.#bets.some(({ log }) => log >= needed) ? 'other-tasks' : undefined;
  }

  /** Whether failures may still have moved. False if there are too few follow-up tasks to judge. */
  get isInDoubt(): boolean {
    return this.#comesBack((supposed, { slope, error }) => supposed - slope < CLEARLY * error);
  }

  /** Whether a good part of the failures has probably moved. */
  get isLikely(): boolean {
    return this.#comesBack((supposed, { slope }) => slope > supposed / 4);
  }

  figures(): GuardFigures {
    const log = Math.max(...this.#bets.map((bet) => bet.log));
    return { guard: 'other-tasks', eHarm: Math.exp(Math.min(log, LARGEST_LOG)), needed: NEEDED * this.#bets.length };
  }

  /** Processes the trial's next unit, in the order of starts. `canAct`: the fix can act on the unit. */
  take(unit: Unit, trial: Trial, canAct: boolean, others: OtherTasks): void {
    const [first] = unit.tasks;
    if (!first || !(unit.share > 0 && unit.share < 1)) return;
    let failures = 0;
    for (const { end } of unit.tasks) if (!end || end.failed) failures++;
    const { arm, share } = unit;
    const leader = { arm, share, tasks: unit.tasks.length, failures };
    if (canAct) this.#units++;
    if (trial.unit === 'task') {
      const key = first.follows ?? first.scope?.source ?? 'generic';
      this.#takeTask(key, { ...leader, begunMs: first.atMs }, canAct, (fromMs, toMs) =>
        others.first({ fromMs, toMs, key, except: trial.scope.task }),
      );
    } else if (canAct) {
      const { tasks, failed } = others.count({ ...windowOf(unit.key, first.atMs, trial), except: trial.scope.task });
      this.#bets[0]?.bet([leader], [tasks, failed]);
    }
  }

  snapshot(): MovedSnapshot {
    return { bets: this.#bets.map((bet) => bet.snapshot()), last: this.#last.snapshot(), units: this.#units };
  }

  /** Judges the next tasks (both bets together) and the other tasks; true if either matches. */
  #comesBack(judge: (supposed: number, found: { readonly slope: number; readonly error: number }) => boolean): boolean {
    return [this.#bets.slice(0, -1), this.#bets.slice(-1)].some((bets) => {
      const sum = (of: (bet: Bet) => number) => bets.reduce((total, bet) => total + of(bet), 0);
      const [units, weight] = [sum((bet) => bet.units), sum(({ slope }) => slope.weight)];
      if (weight === 0 || units < LARGE * this.#units) return false;
      const slope = sum((bet) => bet.slope.sum) / weight;
      // Lucky fixes are more likely to be confirmed, so the error includes the uncertainty of the avoided failures.
      const ofSpared = sum((bet) => bet.spareVariance) / bets.length ** 2;
      const error = Math.sqrt(sum((bet) => bet.variance) / bets.length / weight + PART ** 2 * ofSpared);
      return judge(sum((bet) => bet.supposed) / bets.length, { slope, error });
    });
  }

  #takeTask(
    key: string,
    next: Leader & { readonly begunMs: number },
    canAct: boolean,
    /** Returns whether the first other task between two times failed. */
    between: (fromMs: number, toMs: number) => boolean | undefined,
  ): void {
    const known = this.#last.get(key);
    const last = known && next.begunMs - known.begunMs <= WINDOW_MS ? known : undefined;
    const otherFailed = last && between(last.begunMs, next.begunMs);
    if (last && otherFailed !== undefined) this.#bets[2]?.bet(last.since, [1, otherFailed ? 1 : 0]);
    if (last) this.#bets[last.turn]?.bet([last], [next.tasks, next.failures]);
    if (!canAct) {
      this.#last.delete(key);
      return;
    }
    const before = otherFailed === undefined && last?.share === next.share ? last.since : [];
    const { arm, share, tasks, failures } = next;
    const since = [...before.slice(1 - MAX_LEADERS), { arm, share, tasks, failures }];
    this.#last.set(key, { ...next, turn: last?.turn === 0 ? 1 : 0, since });
  }
}

/** Returns the time range of a session or a block. */
function windowOf(key: string, fromMs: number, { unit, openedMs, blockMs = 1 }: Trial) {
  if (unit === 'session') return { fromMs, toMs: fromMs + SESSION_MS, key };
  return { fromMs, toMs: openedMs + (Number(key) + 1) * blockMs };
}

/** Bet that wins if tasks after fix units fail more than those after control units, by the avoided failures. */
class Bet {
  log: number;
  units: number;
  slope: Slope;
  readonly #control: Rate;
  readonly #fix: Rate;
  readonly #after: Rate;

  constructor(snapshot?: BetSnapshot) {
    this.log = snapshot?.log ?? 0;
    this.units = snapshot?.units ?? 0;
    this.slope = snapshot?.slope ?? { sum: 0, weight: 0 };
    this.#control = new Rate(snapshot?.seen[0]);
    this.#fix = new Rate(snapshot?.seen[1]);
    this.#after = new Rate(snapshot?.seen[2]);
  }

  /** Bets on follow-up tasks. `leaders` share one probability of the fix. The rates come from units before these. */
  bet(leaders: readonly Leader[], [tasks, failures]: Counts): void {
    const [first] = leaders;
    if (!first || tasks === 0) return;
    this.units += leaders.length;
    const each = first.tasks / tasks;
    if (this.supposed > 0) this.log += this.#logFactor(leaders, first.share, this.supposed * each, [tasks, failures]);
    const fixes = leaders.filter(({ arm }) => arm === 'fix').length;
    const moved = (fixes - leaders.length * first.share) * each;
    const weight = tasks / (1 + (tasks - 1) * UNIT_RHO);
    this.slope = {
      sum: this.slope.sum + weight * moved * (failures / tasks - this.#after.value),
      weight: this.slope.weight + weight * moved * moved,
    };
    for (const leader of leaders) {
      (leader.arm === 'fix' ? this.#fix : this.#control).add(leader.tasks, leader.failures);
    }
    this.#after.add(tasks, failures);
  }

  /** Supposed returning failures per task with the fix. */
  get supposed(): number {
    return PART * Math.max(0, this.#control.value - this.#fix.value);
  }

  /** Variance of the avoided failure rate. */
  get spareVariance(): number {
    const ofMean = (rate: Rate) => rate.variance / rate.counts[0];
    return ofMean(this.#control) + ofMean(this.#fix);
  }

  /** Variance of one follow-up task. */
  get variance(): number {
    return this.#after.variance;
  }

  snapshot(): BetSnapshot {
    return {
      log: this.log,
      units: this.units,
      slope: this.slope,
      seen: [this.#control.counts, this.#fix.counts, this.#after.counts],
    };
  }

  /** Returns the log likelihood of the assigned arms, relative to its mean over all possible assignments. */
  #logFactor(leaders: readonly Leader[], share: number, spared: number, [tasks, failures]: Counts): number {
    const count = leaders.length;
    const likelihood = (fixes: number) => {
      const rate = this.#after.value + spared * (fixes - count * share);
      const inside = Math.min(HIGHEST_RATE, Math.max(LOWEST_RATE, rate));
      const log = failures * Math.log(inside) + (tasks - failures) * Math.log(1 - inside);
      return log / (1 + (tasks - 1) * UNIT_RHO);
    };
    const logs: number[] = [];
    let ways = count * Math.log(1 - share);
    for (let fixes = 0; fixes <= count; fixes++) {
      logs.push(ways + likelihood(fixes));
      ways += Math.log(((count - fixes) / (fixes + 1)) * (share / (1 - share)));
    }
    return likelihood(leaders.filter(({ arm }) => arm === 'fix').length) - logMean(logs) - Math.log(logs.length);
  }
}

/** Running failure rate of all tasks, initialised as 4 failures in 20 tasks. */
class Rate {
  #tasks: number;
  #failures: number;

  constructor([tasks, failures]: Counts = [20, 4]) {
    this.#tasks = tasks;
    this.#failures = failures;
  }

  get value(): number {
    return this.#failures / this.#tasks;
  }

  get variance(): number {
    return Math.max(LOWEST_RATE, this.value * (1 - this.value));
  }

  get counts(): Counts {
    return [this.#tasks, this.#failures];
  }

  add(tasks: number, failures: number): void {
    this.#tasks += tasks;
    this.#failures += failures;
  }
}
