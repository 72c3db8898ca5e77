import type { Arm } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import type { GuardFigures, GuardName } from '../contract/verdict.js';
import { LARGEST_LOG, logMean } from './betting-martingale.js';
import type { OtherTasks } from './other-tasks.js';
import { Recent, type RecentSnapshot } from './recent.js';
import { SESSION_MS, type Unit } from './unit-queue.js';

/** Each of the bets of a trial needs its share of this: together they reject 1 harmless fix in 20 at most. */
const NEEDED = 20;
/** A confirmation waits until what comes back is so many standard errors below that. */
const CLEARLY = 2.3;
/** Part of the spared failures that is supposed to come back: some come back where a task fails anyway. */
const PART = 0.7;
/** Tasks that follow so small a part of the units say too little to wait for. */
const LARGE = 0.1;
/** What comes later than this is not looked at. */
const WINDOW_MS = 3_600_000;
/** Sessions or sources of which the last task is remembered. */
const MAX_KEYS = 1_000;
/** Units of the trial before one other task. */
const MAX_LEADERS = 20;
/** Supposed dependence of the tasks of a session or block. */
const UNIT_RHO = 0.2;
const LOWEST_RATE = 0.005;
const HIGHEST_RATE = 0.98;

/** How a unit that the fix could act on was drawn, and how it went. */
interface Leader {
  readonly arm: Arm;
  readonly share: number;
  readonly tasks: number;
  readonly failures: number;
}

/** The newest task of the trial in its session or source. */
interface Last extends Leader {
  readonly begunMs: number;
  /** Which of both bets on next tasks it belongs to. */
  readonly turn: 0 | 1;
  /** Those since the newest other task, with itself. */
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
  /** Of control, of the fix, and of the tasks after them. */
  readonly seen: readonly [Counts, Counts, Counts];
}

export interface MovedSnapshot {
  readonly bets: readonly BetSnapshot[];
  readonly last: RecentSnapshot<Last>;
  readonly units: number;
}

/**
 * Watches whether a fix only moves failures: to the next task, or to tasks of another name. Each bet supposes that most of
 * what the fix spares comes back there. If other tasks do not depend on the arm, no such bet wins on average.
 *
 * Single tasks: the next task of the same session (of the same source without one) is compared by the arm of the task
 * before. Two bets take turns, so that neither uses the arm of a task whose end it has used. A task of another name is
 * compared by the arms of all tasks of the trial since the other one before it. Sessions and blocks: all other tasks in
 * them are compared by their arm.
 */
export class Moved {
  /** After single tasks: two on the next task, in turns. Last: on tasks of other names. */
  readonly #bets: readonly Bet[];
  readonly #last: Recent<Last>;
  /** Units that the fix could act on. */
  #units: number;

  constructor(unit: Trial['unit'], snapshot?: MovedSnapshot) {
    const count = unit === 'task' ? 3 : 1;
    this.#bets = Array.from({ length: count }, (_, index) => new Bet(snapshot?.bets[index]));
    this.#last = new Recent(MAX_KEYS, snapshot?.last);
    this.#units = snapshot?.units ?? 0;
  }

  /** Set once one of the bets has enough evidence that other tasks fail instead. */
  get fired(): GuardName | undefined {
    const needed = Math.log(NEEDED * this.#bets.length);
    return this.#bets.some(({ log }) => log >= needed) ? 'other-tasks' : undefined;
  }

  /** Whether failures may still have moved, as far as there are enough tasks to tell. */
  get isInDoubt(): boolean {
    return this.#comesBack((supposed, { slope, error }) => supposed - slope < CLEARLY * error);
  }

  /** Whether it looks as if a good part of them had moved. */
  get isLikely(): boolean {
    return this.#comesBack((supposed, { slope }) => slope > supposed / 4);
  }

  figures(): GuardFigures {
    const log = Math.max(...this.#bets.map((bet) => bet.log));
    return { guard: 'other-tasks', eHarm: Math.exp(Math.min(log, LARGEST_LOG)), needed: NEEDED * this.#bets.length };
  }

  /** Takes the next unit of the trial, in the order in which they began. `canAct`: the fix can act on it. */
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

  /** Asks about next tasks (both bets together) and about other tasks. */
  #comesBack(judge: (supposed: number, found: { readonly slope: number; readonly error: number }) => boolean): boolean {
    return [this.#bets.slice(0, -1), this.#bets.slice(-1)].some((bets) => {
      const sum = (of: (bet: Bet) => number) => bets.reduce((total, bet) => total + of(bet), 0);
      const [units, weight] = [sum((bet) => bet.units), sum(({ slope }) => slope.weight)];
      if (weight === 0 || units < LARGE * this.#units) return false;
      const slope = sum((bet) => bet.slope.sum) / weight;
      // A fix is confirmed when it was lucky: what it spares is not known better than what comes back.
      const ofSpared = sum((bet) => bet.spareVariance) / bets.length ** 2;
      const error = Math.sqrt(sum((bet) => bet.variance) / bets.length / weight + PART ** 2 * ofSpared);
      return judge(sum((bet) => bet.supposed) / bets.length, { slope, error });
    });
  }

  #takeTask(
    key: string,
    next: Leader & { readonly begunMs: number },
    canAct: boolean,
    /** Whether the first other task between two moments failed. */
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

/** The time of a session or a block. */
function windowOf(key: string, fromMs: number, { unit, openedMs, blockMs = 1 }: Trial) {
  if (unit === 'session') return { fromMs, toMs: fromMs + SESSION_MS, key };
  return { fromMs, toMs: openedMs + (Number(key) + 1) * blockMs };
}

/** Capital that grows where tasks after units with the fix fail more than those after control, by what the fix spares. */
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

  /** `leaders` were drawn with one share; what follows them failed so often. Rates are of units before these. */
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

  /** What is supposed to come back of each task with the fix. */
  get supposed(): number {
    return PART * Math.max(0, this.#control.value - this.#fix.value);
  }

  /** Of what is spared. */
  get spareVariance(): number {
    const ofMean = (rate: Rate) => rate.variance / rate.counts[0];
    return ofMean(this.#control) + ofMean(this.#fix);
  }

  /** Of one task that follows. */
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

  /** The likelihood of the arms that were drawn, over its mean over all arms that might have been drawn instead. */
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

/** Failure rate of all tasks so far, which begins as 0.2 of 20 tasks. */
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
