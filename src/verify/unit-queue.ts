import type { OutcomeId } from '../contract/ids.js';
import type { ClockJump, Trial } from '../contract/trial.js';
import type { Begun } from './arrival.js';
import { blockOf, isTail, isWashOut } from './assign.js';
import { Recent, type RecentSnapshot } from './recent.js';
import type { TaskEnd } from './task-end.js';
import { inOrderOfStart, isEnded, lastMoment, overMs, type TrialTask, type Unit, withoutAnchors } from './unit.js';

const HOUR_MS = 3_600_000;
/** Window of a session after its first task began. Keeps sessions that last for days from delaying others. */
export const SESSION_MS = 24 * HOUR_MS;
/** Limit on tasks waiting for the bet. While it is reached, new tasks of both arms are left out. */
const MAX_PENDING = 100_000;
/** Limit on remembered ids of tasks and units already bet on, used to detect repeats. */
const MAX_REMEMBERED = 10_000;
/** Delivered units at the front of the list before compaction pays off. */
const COMPACT_FROM = 1_000;

export type BeginResult = 'taken' | 'repeated' | 'late' | 'left-out' | 'not-bet-on';

export interface UnitQueueSnapshot {
  readonly arrived: readonly TrialTask[];
  readonly units: readonly Unit[];
  readonly justEnded: readonly string[];
  readonly ids: RecentSnapshot<number>;
  readonly overdue: RecentSnapshot<number>;
  readonly keys: RecentSnapshot<number>;
  readonly closed: RecentSnapshot<number>;
  readonly forgottenMs: number | null;
}

/**
 * Orders the tasks of one trial by their starts and returns their units one by one. A unit is returned when it and all
 * earlier ones have ended or passed their deadline. So a fix gains nothing by delaying or losing its failures.
 */
export class UnitQueue {
  #trial: Trial;
  /** Every task not yet delivered. */
  readonly #pending = new Map<OutcomeId, TrialTask>();
  /** Tasks that began but are not yet below the watermark, so their order is still open. */
  #arrived: TrialTask[] = [];
  /** One of these tasks per session. */
  readonly #arrivedOf = new Map<string, TrialTask>();
  readonly #units = new Map<string, Unit>();
  /** The same units in the order of their starts. Those before `#head` were delivered. */
  #order: Unit[] = [];
  #head = 0;
  /** Single tasks that ended since the last call of `ended`. */
  #justEnded: string[];
  /** Delivered tasks, with their start times. */
  readonly #ids: Recent<number>;
  /** Delivered tasks that had not ended by their deadline. */
  readonly #overdue: Recent<number>;
  readonly #keys: Recent<number>;
  /** Sessions reported as over. */
  readonly #closed: Recent<number>;
  /** Starts older than this may have been seen and forgotten. */
  #forgottenMs: number;

  constructor(trial: Trial, snapshot?: UnitQueueSnapshot) {
    this.#trial = trial;
    this.#justEnded = [...(snapshot?.justEnded ?? [])];
    this.#ids = new Recent(MAX_REMEMBERED, snapshot?.ids);
    this.#overdue = new Recent(MAX_REMEMBERED, snapshot?.overdue);
    this.#keys = new Recent(MAX_REMEMBERED, snapshot?.keys);
    this.#closed = new Recent(MAX_REMEMBERED, snapshot?.closed);
    this.#forgottenMs = snapshot?.forgottenMs ?? Number.NEGATIVE_INFINITY;
    for (const task of snapshot?.arrived ?? []) this.#arrived.push({ ...task });
    for (const unit of snapshot?.units ?? []) {
      this.#append({ ...unit, tasks: unit.tasks.map((task) => ({ ...task })) });
    }
    this.#noteArrived();
    for (const task of this.#arrived) this.#pending.set(task.id, task);
    for (const unit of this.#order) for (const task of unit.tasks) this.#pending.set(task.id, task);
  }

  /** Updates the trial to a new share or phase. After a jump of the clock, no longer waits for the tasks in flight. */
  follow(trial: Trial): void {
    const { jump } = trial;
    if (jump && jump.toMs !== this.#trial.jump?.toMs) this.#leaveOpen(jump);
    this.#trial = trial;
  }

  /**
   * Adds a started task. `late`: its unit was already delivered, so there is no bet on it. `left-out`: the queue is
   * full.
   */
  begin(task: TrialTask): BeginResult {
    if (this.#pending.has(task.id) || this.#ids.has(task.id)) return 'repeated';
    if (task.atMs <= this.#forgottenMs) return 'late';
    const begunMs = this.#keys.get(task.unit);
    if (begunMs !== undefined) return this.#isAfter(begunMs, task) ? 'not-bet-on' : 'late';
    if (!this.#isBetOn(task) || isAcross(task, this.#trial.jump)) return 'not-bet-on';
    if (this.#pending.size >= MAX_PENDING) return 'left-out';
    this.#pending.set(task.id, task);
    this.#arrived.push(task);
    if (this.#trial.unit === 'session') this.#arrivedOf.set(task.unit, task);
    return 'taken';
  }

  /**
   * Adds a session's task that ended without a Start record; the session's arm is known. It counts like any other task.
   * Such a task that never ends is not missed.
   */
  endInSession(session: string, id: OutcomeId, end: TaskEnd): void {
    const unit = this.#sessionOf(session);
    if (!unit || this.#pending.has(id) || this.#ids.has(id)) return;
    const { arm, share, writer, counter } = unit;
    const atMs = end.atMs - (end.durationMs ?? 0);
    const task = { id, atMs, writer, counter, deadlineMs: end.atMs, unit: session, arm, share };
    if (this.begin(task) === 'taken') this.end(id, end);
  }

  #sessionOf(session: string): TrialTask | undefined {
    return this.#units.get(session)?.tasks[0] ?? this.#arrivedOf.get(session);
  }

  /** Records the end of a task; the first one counts. `overdue`: after the deadline, and the task counts as failed. */
  end(id: OutcomeId, end: TaskEnd): 'taken' | 'overdue' | 'repeated' | 'unknown' {
    const task = this.#pending.get(id);
    if (!task && this.#overdue.has(id)) {
      this.#overdue.delete(id);
      return 'overdue';
    }
    if (!task) return this.#ids.has(id) ? 'repeated' : 'unknown';
    if (task.end) return 'repeated';
    const isLate = end.atMs > lastMoment(task);
    task.end = isLate ? { ...end, failed: true } : end;
    if (this.#trial.unit === 'task') this.#justEnded.push(task.unit);
    return isLate ? 'overdue' : 'taken';
  }

  /** Marks a session as over; any of its tasks may report it. The session is delivered once its tasks have ended. */
  endSession(session: string, atMs: number): void {
    if (!this.#keys.has(session)) this.#closed.set(session, atMs);
  }

  /** Fixes the order of tasks that began before the watermark. Call it before asking for units. */
  number(watermarkMs: number): void {
    const below = this.#arrived.filter((task) => task.atMs < watermarkMs);
    if (below.length === 0) return;
    if (below.length === this.#arrived.length) this.#arrived = [];
    else this.#arrived = this.#arrived.filter((task) => task.atMs >= watermarkMs);
    this.#noteArrived();
    for (const task of below.sort(inOrderOfStart)) {
      const unit = this.#units.get(task.unit);
      const first = unit?.tasks[0];
      if (unit && first && this.#isAfter(first.atMs, task)) this.#pending.delete(task.id);
      else if (unit) {
        unit.mixed ||= unit.share !== task.share || unit.arm !== task.arm;
        unit.tasks.push(task);
      } else {
        const { unit: key, arm, share } = task;
        this.#append({ key, arm, share, mixed: false, tasks: [task], reported: false });
      }
    }
  }

  /** Returns whether any task can be ordered, or whether `ended` or `next` would return a unit. */
  isDue(watermarkMs: number): boolean {
    const first = this.#order[this.#head];
    if (first && this.#isOver(first, watermarkMs)) return true;
    if (this.#arrived.some((task) => task.atMs < watermarkMs)) return true;
    // Single tasks that ended are in `#justEnded`. Those that did not end are checked when they come first.
    if (this.#trial.unit === 'task') return this.#justEnded.some((key) => this.#units.has(key));
    return this.#order.slice(this.#head).some((unit) => !unit.reported && this.#isOver(unit, watermarkMs));
  }

  /** Returns the units that `ended` has not returned yet, without those whose arm or share changed. */
  running(): Begun {
    const found = { fix: { units: 0, tasks: 0 }, control: { units: 0, tasks: 0 } };
    for (const unit of this.#order.slice(this.#head)) {
      const { mixed, reported, tasks } = withoutAnchors(unit);
      if (mixed || reported || tasks.length === 0) continue;
      found[unit.arm].units++;
      found[unit.arm].tasks += tasks.length;
    }
    return found;
  }

  /** Returns units that ended since the last call, in the order of their ends, even if earlier units still wait. */
  ended(watermarkMs: number): Unit[] {
    const ended: { unit: Unit; atMs: number }[] = [];
    for (const unit of this.#candidates()) {
      if (unit.reported || !this.#isOver(unit, watermarkMs)) continue;
      unit.reported = true;
      ended.push({ unit, atMs: overMs(unit) });
    }
    return ended
      .sort((a, b) => a.atMs - b.atMs || (a.unit.key < b.unit.key ? -1 : 1))
      .map(({ unit }) => withoutAnchors(unit));
  }

  /** Removes and returns the next unit, if it has ended. */
  next(watermarkMs: number): Unit | undefined {
    const unit = this.#order[this.#head];
    if (!unit || !this.#isOver(unit, watermarkMs)) return undefined;
    this.#head++;
    if (this.#head >= COMPACT_FROM && this.#head * 2 >= this.#order.length) {
      this.#order = this.#order.slice(this.#head);
      this.#head = 0;
    }
    this.#units.delete(unit.key);
    if (this.#trial.unit !== 'task') this.#keys.set(unit.key, unit.tasks[0]?.atMs ?? 0);
    for (const task of unit.tasks) this.#forget(task);
    return withoutAnchors(unit);
  }

  snapshot(): UnitQueueSnapshot {
    return {
      arrived: this.#arrived.map((task) => ({ ...task })),
      units: this.#order.slice(this.#head).map((unit) => ({ ...unit, tasks: unit.tasks.map((task) => ({ ...task })) })),
      justEnded: [...this.#justEnded],
      ids: this.#ids.snapshot(),
      overdue: this.#overdue.snapshot(),
      keys: this.#keys.snapshot(),
      closed: this.#closed.snapshot(),
      forgottenMs: Number.isFinite(this.#forgottenMs) ? this.#forgottenMs : null,
    };
  }

  /**
   * Drops tasks that were open when the clock jumped: by the new time they may be overdue, or end in years. The jump
   * does not depend on the arm, so the bet stays valid. Units that lose a task are not bet on.
   */
  #leaveOpen({ fromMs, toMs }: ClockJump): void {
    const isLost = (task: TrialTask) => !isEnded(task) && (toMs > fromMs || task.atMs > toMs);
    const drop = (tasks: readonly TrialTask[]) =>
      tasks.filter((task) => !isLost(task) || !this.#pending.delete(task.id));
    this.#arrived = drop(this.#arrived);
    this.#noteArrived();
    for (const unit of this.#order.slice(this.#head)) {
      const kept = drop(unit.tasks);
      if (kept.length === unit.tasks.length) continue;
      unit.mixed = true;
      unit.tasks.splice(0, unit.tasks.length, ...kept);
    }
  }

  #noteArrived(): void {
    this.#arrivedOf.clear();
    if (this.#trial.unit === 'session') for (const task of this.#arrived) this.#arrivedOf.set(task.unit, task);
  }

  #forget(task: TrialTask): void {
    this.#pending.delete(task.id);
    if (!isEnded(task)) this.#overdue.set(task.id, task.atMs);
    // Tasks that began before a forgotten id may also have been seen before.
    const forgotten = this.#ids.set(task.id, task.atMs);
    if (forgotten) for (const atMs of forgotten) this.#forgottenMs = Math.max(this.#forgottenMs, atMs);
  }

  #append(unit: Unit): void {
    this.#units.set(unit.key, unit);
    this.#order.push(unit);
  }

  /** Returns units that may have ended: for single tasks, those reported as ended and the first in order. */
  #candidates(): readonly Unit[] {
    if (this.#trial.unit !== 'task') return this.#order.slice(this.#head);
    const units: Unit[] = [];
    const notNumbered: string[] = [];
    for (const key of this.#justEnded) {
      const unit = this.#units.get(key);
      if (unit) units.push(unit);
      else notNumbered.push(key);
    }
    this.#justEnded = notNumbered;
    const first = this.#order[this.#head];
    if (first) units.push(first);
    return units;
  }

  /** Returns whether to bet on the task. Excludes tasks that were not randomised and the wash-out of a block. */
  #isBetOn(task: TrialTask): boolean {
    if (!(task.share > 0 && task.share < 1) || !Number.isFinite(task.atMs)) return false;
    if (this.#trial.unit !== 'block') return true;
    const block = Number(task.unit);
    const { blocksSinceMs } = this.#trial;
    // The block during which the length changed has tasks of both lengths.
    if (blocksSinceMs !== undefined && block <= blockOf(this.#trial, blocksSinceMs)) return false;
    // If tasks stay open, the last ones of a block still run in the next one.
    if (blocksSinceMs !== undefined && isTail(this.#trial, block, task.atMs)) return false;
    // Two clock readings may fall on both sides of a block border. A larger gap means a block of another trial.
    return Math.abs(blockOf(this.#trial, task.atMs) - block) <= 1 && !isWashOut(this.#trial, block, task.atMs);
  }

  #isOver(unit: Unit, watermarkMs: number): boolean {
    for (const task of unit.tasks) if (!isEnded(task) && watermarkMs <= lastMoment(task)) return false;
    return this.#trial.unit === 'task' || watermarkMs > this.#closesMs(unit);
  }

  /** Returns the time after which no more tasks can begin in the unit. */
  #closesMs(unit: Unit): number {
    const first = unit.tasks[0];
    if (!first) return Number.NEGATIVE_INFINITY;
    if (this.#trial.unit === 'block') {
      return this.#trial.openedMs + (Number(unit.key) + 1) * (this.#trial.blockMs ?? 1) - 1;
    }
    let lastMs = first.atMs;
    for (const task of unit.tasks) {
      lastMs = Math.max(lastMs, task.end?.atMs ?? task.atMs);
    }
    // If a session continues after it was reported as over, the time window applies.
    const closedMs = this.#closed.get(unit.key);
    if (closedMs !== undefined && closedMs >= lastMs) return Number.NEGATIVE_INFINITY;
    return first.atMs + SESSION_MS;
  }

  /**
   * Returns whether a task began after the window of its session. `begunMs` is the start of the session's first task.
   */
  #isAfter(begunMs: number, { atMs }: TrialTask): boolean {
    return this.#trial.unit === 'session' && atMs > begunMs + SESSION_MS;
  }
}

/** Returns whether the clock may have jumped ahead before the task ended. Its deadline has then passed by the jump. */
function isAcross(task: TrialTask, jump: ClockJump | undefined): boolean {
  return jump !== undefined && jump.toMs > jump.fromMs && task.atMs <= jump.fromMs && lastMoment(task) > jump.fromMs;
}
