import type { Trial } from '../contract/trial.js';
import type { GuardFigures, GuardName } from '../contract/verdict.js';
import { type EndedUnit, LARGEST_LOG } from './betting-martingale.js';
import { type Level, MoveDoubt, type MoveDoubtSnapshot } from './move-doubt.js';
import { type Counts, MovedBet, type MovedBetSnapshot } from './moved-bet.js';
import type { OtherTasks, TaskCounts, Window } from './other-tasks.js';
import { Recent, type RecentSnapshot } from './recent.js';
import type { TrialTask, Unit } from './unit.js';
import { SESSION_MS } from './unit-queue.js';

/** E-value needed, times the number of a trial's bets. Together they fail at most 1 in 40 harmless fixes. */
const NEEDED = 40;
/** Part of that e-value from which a confirmation waits until the bet falls below it again, or fires. */
const SUSPECTED = 0.25;
/** Evidence, as a log likelihood ratio, that the avoided failures are gone. A confirmation waits for it. */
const GONE = 1.5;
/** Tasks that begin later than this after the unit are ignored. */
const WINDOW_MS = 3_600_000;
/** Limit on sessions or sources whose last task is remembered. */
const MAX_KEYS = 1_000;
/** Limit on trial units counted before one other task. */
const MAX_LEADERS = 20;
/** Prior results of control's tasks. With a trigger, most tasks fail without the fix. */
const PAST: Counts = [20, 4];
const TRIGGERED_PAST: Counts = [20, 18];

/** Newest trial task in a session or source. */
interface Last {
  readonly task: EndedUnit;
  readonly begunMs: number;
  /** Index of the next-task bet it belongs to; the two alternate. */
  readonly turn: 0 | 1;
  /** Units since the newest other task, including this one. The next task of the same key adds itself. */
  readonly since: EndedUnit[];
}

export interface MovedSnapshot {
  readonly bets: readonly MovedBetSnapshot[];
  readonly last: RecentSnapshot<Last>;
  readonly doubt: MoveDoubtSnapshot;
  readonly before: TaskCounts;
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
  readonly #bets: readonly MovedBet[];
  readonly #last: Recent<Last>;
  readonly #doubt: MoveDoubt;
  readonly #others: OtherTasks;
  readonly #logNeeded: number;
  /** Totals of other names when the trial began. */
  readonly #before: TaskCounts;

  constructor({ unit, trigger, scope }: Trial, others: OtherTasks, snapshot?: MovedSnapshot) {
    const count = unit === 'task' ? 3 : 1;
    this.#bets = Array.from({ length: count }, (_, index) => new MovedBet(snapshot?.bets[index]));
    this.#last = new Recent(MAX_KEYS, snapshot && copyOf(snapshot.last));
    this.#doubt = new MoveDoubt(trigger ? TRIGGERED_PAST : PAST, snapshot?.doubt);
    this.#others = others;
    this.#logNeeded = Math.log(NEEDED * count);
    this.#before = snapshot?.before ?? others.totals(scope.task ?? '');
  }

  /** Returns the guard's name once one bet has enough evidence that other tasks fail instead. */
  get fired(): GuardName | undefined {
    for (const { log } of this.#bets) if (log >= this.#logNeeded) return 'other-tasks';
    return undefined;
  }

  /** Whether the avoided failures may have moved. After a long wait, or with a trigger: whether that is more likely. */
  isInDoubt({ scope, past, trigger }: Trial, hasWaited: boolean): boolean {
    const suspected = this.#logNeeded + Math.log(SUSPECTED);
    if (this.#bets.some(({ log }) => log >= suspected)) return true;
    const needed = hasWaited || trigger ? 0 : GONE;
    return this.#doubt.evidence(past.others && this.#level(scope.task ?? '', past.others)) < needed;
  }

  figures(): GuardFigures {
    const log = Math.max(...this.#bets.map((bet) => bet.log));
    return { guard: 'other-tasks', eHarm: Math.exp(Math.min(log, LARGEST_LOG)), needed: NEEDED * this.#bets.length };
  }

  /** Processes the trial's next unit, in the order of starts, and its result. `canAct`: the fix can act on the unit. */
  take({ key, tasks: [first] }: Unit, ended: EndedUnit, trial: Trial, canAct: boolean): void {
    if (!first || !(ended.share > 0 && ended.share < 1)) return;
    if (canAct) this.#doubt.addUnit(ended);
    if (trial.unit === 'task') this.#takeTask(first, ended, trial, canAct);
    else if (canAct) {
      const { tasks, failures } = this.#others.count(windowOf(key, first.atMs, trial));
      this.#bets[0]?.bet([ended], [tasks, failures]);
      this.#doubt.addOthers([ended], [tasks, failures]);
    }
  }

  snapshot(): MovedSnapshot {
    return {
      bets: this.#bets.map((bet) => bet.snapshot()),
      last: copyOf(this.#last.snapshot()),
      doubt: this.#doubt.snapshot(),
      before: this.#before,
    };
  }

  #level(task: string, before: TaskCounts): Level {
    const { tasks, failures } = this.#others.totals(task);
    return { before, since: { tasks: tasks - this.#before.tasks, failures: failures - this.#before.failures } };
  }

  #takeTask({ follows, scope, atMs }: TrialTask, ended: EndedUnit, trial: Trial, canAct: boolean): void {
    const key = follows ?? scope?.source ?? 'generic';
    const known = this.#last.get(key);
    const last = known && atMs - known.begunMs <= WINDOW_MS ? known : undefined;
    const otherFailed = last && this.#others.first({ fromMs: last.begunMs, toMs: atMs, key, except: trial.scope.task });
    if (last && otherFailed !== undefined) {
      const counts = [1, otherFailed ? 1 : 0] as const;
      this.#bets[2]?.bet(last.since, counts);
      this.#doubt.addOthers(last.since, counts);
    }
    if (last) this.#takeNext(last, ended, mayFollow(trial, follows));
    if (!canAct) {
      this.#last.delete(key);
      return;
    }
    const goesOn = last !== undefined && otherFailed === undefined && last.task.share === ended.share;
    const since = goesOn ? last.since : [ended];
    if (goesOn && since.push(ended) > MAX_LEADERS) since.shift();
    this.#last.set(key, { task: ended, begunMs: atMs, turn: last?.turn === 0 ? 1 : 0, since });
  }

  #takeNext({ task, turn }: Last, ended: EndedUnit, isDoubted: boolean): void {
    this.#bets[turn]?.bet([task], [ended.tasks, ended.failures]);
    if (isDoubted) this.#doubt.addNext(ended.arm, task.arm, ended.failures > 0);
  }
}

/**
 * Returns whether avoided failures may return in the next task. Answers of another model can do so only in the same
 * session. Without one, no confirmation waits for the next task, although the bet still watches it.
 */
function mayFollow({ choosesModels }: Trial, follows: string | undefined): boolean {
  return follows !== undefined || choosesModels !== true;
}

/** Returns the time range of a session or a block. */
function windowOf(key: string, fromMs: number, { unit, scope, openedMs, blockMs = 1 }: Trial): Window {
  const except = scope.task;
  if (unit === 'session') return { fromMs, toMs: fromMs + SESSION_MS, key, except };
  return { fromMs, toMs: openedMs + (Number(key) + 1) * blockMs, except };
}

/** Copies the lists of units, which grow. */
function copyOf([older, newer]: RecentSnapshot<Last>): RecentSnapshot<Last> {
  const copies = (entries: RecentSnapshot<Last>[0]) =>
    entries.map(([key, last]): readonly [string, Last] => [key, { ...last, since: [...last.since] }]);
  return [copies(older), copies(newer)];
}
