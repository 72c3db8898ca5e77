import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { Scope } from '../contract/scope.js';
import type { Arm } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import { blockOf, isWashOut } from './assign.js';
import { Recent, type RecentSnapshot } from './recent.js';

const HOUR_MS = 3_600_000;
/** A session is bet on this long after its first task began, so that one that goes on for days holds up no other. */
export const SESSION_MS = 24 * HOUR_MS;
/** No task may hold up a trial for longer, whatever deadline it was given. */
const LONGEST_TASK_MS = 7 * 24 * HOUR_MS;
/** Tasks waiting to be bet on. While it is full, tasks that begin are left out: whatever their arm. */
const MAX_PENDING = 100_000;
/** Ids of tasks and units that were bet on, kept to know them again. */
const MAX_REMEMBERED = 10_000;
/** Given-out units at the front of the list before it is worth copying the rest. */
const COMPACT_FROM = 1_000;

/** How a task of a trial ended; for guards, what it took where known. */
export interface TaskEnd {
  readonly failed: boolean;
  readonly atMs: number;
  readonly durationMs?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly quality?: number;
  /** What the first attempt failed with, and what it took; where known. */
  readonly firstIssue?: Issue;
  readonly firstMs?: number;
}

/** A task of a trial from its Start on. */
export interface TrialTask {
  readonly id: OutcomeId;
  readonly atMs: number;
  readonly writer: string;
  readonly counter: number;
  readonly deadlineMs: number;
  readonly unit: string;
  readonly arm: Arm;
  readonly share: number;
  /** What was known of it before it began; only where the trial may suit one kind of task and not another. */
  readonly scope?: Scope;
  /** The session that it continues, of single tasks. */
  readonly follows?: string;
  /** Not what the trial is about: it only tells which arm its session is in. */
  readonly isAnchor?: boolean;
  end?: TaskEnd;
}

/** A unit of randomisation with its tasks, in the order in which units began. */
export interface Unit {
  readonly key: string;
  readonly arm: Arm;
  readonly share: number;
  /** Some of its tasks were drawn otherwise, because the share changed meanwhile: says nothing. */
  mixed: boolean;
  readonly tasks: TrialTask[];
  /** Whether it was given out as ended already. */
  told: boolean;
}

export type Begun = 'taken' | 'repeated' | 'late' | 'left-out' | 'not-bet-on';

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
 * Puts the tasks of one trial in the order of their starts and gives out their units one after another, each when it
 * and all before it have ended or passed their deadline. A fix that merely makes its failures slower or lets them vanish
 * therefore gains nothing by it.
 */
export class UnitQueue {
  #trial: Trial;
  /** Every task not given out yet. */
  readonly #pending = new Map<OutcomeId, TrialTask>();
  /** Begun, but not yet below the watermark: their place in the order is open. */
  #arrived: TrialTask[] = [];
  /** One of those tasks of each session. */
  readonly #arrivedOf = new Map<string, TrialTask>();
  readonly #units = new Map<string, Unit>();
  /** The same units in the order in which they began; those before `#head` were given out. */
  #order: Unit[] = [];
  #head = 0;
  /** Single tasks that ended since they were last asked for. */
  #justEnded: string[];
  /** Tasks and units that were given out, with the time they began. */
  readonly #ids: Recent<number>;
  /** Those among them that had not ended by their deadline. */
  readonly #overdue: Recent<number>;
  readonly #keys: Recent<number>;
  /** Sessions that are said to be over. */
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

  /** Takes over a new share or phase. */
  follow(trial: Trial): void {
    this.#trial = trial;
  }

  /** Takes a task that began. `late`: its unit was given out before; nothing can be bet on it. `left-out`: no room. */
  begin(task: TrialTask): Begun {
    if (this.#pending.has(task.id) || this.#ids.has(task.id)) return 'repeated';
    if (task.atMs <= this.#forgottenMs) return 'late';
    const begunMs = this.#keys.get(task.unit);
    if (begunMs !== undefined) return this.#isAfter(begunMs, task) ? 'not-bet-on' : 'late';
    if (!this.#isBetOn(task)) return 'not-bet-on';
    if (this.#pending.size >= MAX_PENDING) return 'left-out';
    this.#pending.set(task.id, task);
    this.#arrived.push(task);
    if (this.#trial.unit === 'session') this.#arrivedOf.set(task.unit, task);
    return 'taken';
  }

  /**
   * Takes a task of a session that is known to be in an arm, though nothing was written when this task began. It counts
   * like any other, and one of them that never ends is not missed.
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

  /** Takes the end of a task; the first one counts. `overdue`: it came after the deadline, and the task counts as failed. */
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

  /** Takes that a session is over, whichever of its tasks says so: it is bet on once its tasks have ended. */
  endSession(session: string, atMs: number): void {
    if (!this.#keys.has(session)) this.#closed.set(session, atMs);
  }

  /** Numbers what began before the watermark. Call it before asking for units. */
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
        this.#append({ key, arm, share, mixed: false, tasks: [task], told: false });
      }
    }
  }

  /** Whether there is something to number, or a unit that `ended` or `next` would give. */
  isDue(watermarkMs: number): boolean {
    const first = this.#order[this.#head];
    if (first && this.#isOver(first, watermarkMs)) return true;
    if (this.#arrived.some((task) => task.atMs < watermarkMs)) return true;
    // Single tasks that ended are known since they did; those that did not are looked at when their turn comes.
    if (this.#trial.unit === 'task') return this.#justEnded.some((key) => this.#units.has(key));
    return this.#order.slice(this.#head).some((unit) => !unit.told && this.#isOver(unit, watermarkMs));
  }

  /** Units that ended since the last call, in the order in which they did, whatever waits before them. */
  ended(watermarkMs: number): Unit[] {
    const ended: { unit: Unit; atMs: number }[] = [];
    for (const unit of this.#candidates()) {
      if (unit.told || !this.#isOver(unit, watermarkMs)) continue;
      unit.told = true;
      ended.push({ unit, atMs: unit.tasks.reduce((latest, task) => Math.max(latest, endOf(task)), 0) });
    }
    return ended
      .sort((a, b) => a.atMs - b.atMs || (a.unit.key < b.unit.key ? -1 : 1))
      .map(({ unit }) => withoutAnchors(unit));
  }

  /** Takes the next unit out, if it has ended. */
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

  #noteArrived(): void {
    this.#arrivedOf.clear();
    if (this.#trial.unit === 'session') for (const task of this.#arrived) this.#arrivedOf.set(task.unit, task);
  }

  #forget(task: TrialTask): void {
    this.#pending.delete(task.id);
    if (!isEnded(task)) this.#overdue.set(task.id, task.atMs);
    // What began before an id that is no longer remembered may have been seen before, too.
    for (const atMs of this.#ids.set(task.id, task.atMs) ?? []) this.#forgottenMs = Math.max(this.#forgottenMs, atMs);
  }

  #append(unit: Unit): void {
    this.#units.set(unit.key, unit);
    this.#order.push(unit);
  }

  /** Which units may have ended: for single tasks those that were reported and the one whose turn it is. */
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

  /** Nothing is bet on where nothing was drawn, nor on the wash-out of a block. */
  #isBetOn(task: TrialTask): boolean {
    if (!(task.share > 0 && task.share < 1) || !Number.isFinite(task.atMs)) return false;
    if (this.#trial.unit !== 'block') return true;
    const block = Number(task.unit);
    // A clock read twice may fall on both sides of a border; more than that is no block of this trial.
    return Math.abs(blockOf(this.#trial, task.atMs) - block) <= 1 && !isWashOut(this.#trial, block, task.atMs);
  }

  #isOver(unit: Unit, watermarkMs: number): boolean {
    for (const task of unit.tasks) if (!isEnded(task) && watermarkMs <= lastMoment(task)) return false;
    return this.#trial.unit === 'task' || watermarkMs > this.#closesMs(unit);
  }

  /** From when on nothing more can begin in the unit. */
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
    // A session may go on after it was reported to be over: then its time decides.
    const closedMs = this.#closed.get(unit.key);
    if (closedMs !== undefined && closedMs >= lastMs) return Number.NEGATIVE_INFINITY;
    return first.atMs + SESSION_MS;
  }

  /** Whether a task began after the time of its session, of which the first task began at `begunMs`. */
  #isAfter(begunMs: number, { atMs }: TrialTask): boolean {
    return this.#trial.unit === 'session' && atMs > begunMs + SESSION_MS;
  }
}

/** What the trial is about; of a session in which nothing of it happened, nothing. */
function withoutAnchors(unit: Unit): Unit {
  return unit.tasks.some(({ isAnchor }) => isAnchor)
    ? { ...unit, tasks: unit.tasks.filter(({ isAnchor }) => !isAnchor) }
    : unit;
}

/** Until when the task may end without counting as a failure. */
function lastMoment(task: TrialTask): number {
  return Math.min(task.deadlineMs, task.atMs + LONGEST_TASK_MS);
}

function isEnded({ end, isAnchor }: TrialTask): boolean {
  return end !== undefined || isAnchor === true;
}

function endOf(task: TrialTask): number {
  return task.end?.atMs ?? (task.isAnchor ? task.atMs : lastMoment(task));
}

function inOrderOfStart(a: TrialTask, b: TrialTask): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.writer !== b.writer) return a.writer < b.writer ? -1 : 1;
  return a.counter - b.counter;
}
