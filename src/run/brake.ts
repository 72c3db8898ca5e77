import type { Clock } from '../contract/clock.js';
import type { FixId } from '../contract/ids.js';
import type { FixInPolicy } from './fixes-in-policy.js';

/** Interval at which waiting tasks are looked at, in milliseconds. */
const LOOK_EVERY_MS = 250;
/** Tasks that a fix must have reached before its waits are judged. */
const LEAST_TASKS = 10;
/** Newest tasks whose waits are judged. */
const KEPT = 200;
/** Counts are halved above this number of tasks, so that the newest decide. */
const MOST_COUNTED = 2_000;
/** Weight of the failure rate that was known before, in tasks. */
const PRIOR_TASKS = 20;
/** Wait of the slowest of 20 tasks before their first call, as a share of the price: 2 s at the default price of 20 s. */
const PART_OF_PRICE = 0.1;

/** Timers fire late: a wait that a setting bounds may take this many times as long. */
const TIMERS = 1.02;
/** Tasks that must have waited before their first call, before their failures are judged. */
const LEAST_WAITERS = 20;

/** How a task ended that a fix could keep waiting. */
export interface WatchedEnd {
  /** The task, as in its waits. */
  readonly task: object;
  /** Price of a prevented failure of this task, in milliseconds of waiting. */
  readonly priceMs: number;
  /** Wait before the first attempt because of fixes. */
  readonly queuedMs: number;
  /** All waits because of fixes. */
  readonly waitedMs: number;
  /** Duration without these waits. */
  readonly workMs: number;
  readonly failed: boolean;
}

export interface BrakeOptions {
  readonly clock: Clock;
  /** Turns a fix off in this process, for the reason. */
  readonly onTrip: (fixId: FixId, reason: string) => void;
  /** Called regularly while tasks wait because of fixes. */
  readonly whileWaiting: () => void;
}

/** A wait that has not ended. */
interface OpenWait {
  readonly task: object;
  readonly sinceMs: number;
  readonly beforeMs: number;
  readonly isFirst: boolean;
  readonly priceMs: number;
}

/**
 * Watches the waits that fixes cause in this process, and turns off a fix that costs more waiting than its price.
 * Looks several times a second while a task waits, so that a queue that does not move is noticed too.
 */
export class Brake {
  readonly #options: BrakeOptions;
  readonly #watched = new Map<FixId, Watched>();
  #open = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(options: BrakeOptions) {
    this.#options = options;
  }

  /**
   * Starts a wait of a task that already waited `beforeMs`. Returns the function that ends it and gives its length.
   * `isFirst`: before the first attempt.
   */
  wait(fixes: readonly FixInPolicy[], how: Pick<OpenWait, 'task' | 'beforeMs' | 'isFirst' | 'priceMs'>): () => number {
    const { clock } = this.#options;
    const wait = { ...how, sinceMs: clock.monotonic() };
    const watched = fixes.map((fix) => this.#of(fix));
    for (const { open } of watched) open.add(wait);
    this.#open++;
    this.#look();
    return () => {
      const tookMs = clock.monotonic() - wait.sinceMs;
      for (const one of watched) one.close(wait, tookMs);
      this.#open--;
      return tookMs;
    };
  }

  /** Counts a task that ended under these fixes. */
  ended(fixes: readonly FixInPolicy[], end: WatchedEnd): void {
    for (const fix of fixes) {
      const watched = this.#of(fix);
      watched.add(end);
      if (end.waitedMs > 0 || end.failed) this.#judge(fix.fixId, watched);
    }
  }

  /** Counts a task that a trial held back from a fix. */
  endedWithout(fixId: FixId, failed: boolean): void {
    this.#watched.get(fixId)?.addControl(failed);
  }

  /** Turns fixes off whose queue had no place for an attempt. */
  refused(fixes: readonly FixInPolicy[]): void {
    for (const { fixId, isBraked } of fixes) {
      if (isBraked) this.#trip(fixId, 'its queue was full');
    }
  }

  #of(fix: FixInPolicy): Watched {
    const known = this.#watched.get(fix.fixId);
    const watched = known ?? new Watched(fix);
    watched.fix = fix;
    if (known === undefined) this.#watched.set(fix.fixId, watched);
    return watched;
  }

  #look(): void {
    this.#cancelTimer ??= this.#options.clock.after(
      LOOK_EVERY_MS,
      () => {
        this.#cancelTimer = undefined;
        if (this.#open === 0) return;
        for (const [fixId, watched] of this.#watched) if (watched.open.size > 0) this.#judge(fixId, watched);
        if (this.#open === 0) return;
        this.#options.whileWaiting();
        this.#look();
      },
      { background: true },
    );
  }

  #judge(fixId: FixId, watched: Watched): void {
    const reason = watched.fix.isBraked ? watched.excess(this.#options.clock.monotonic()) : undefined;
    if (reason !== undefined) this.#trip(fixId, reason);
  }

  #trip(fixId: FixId, reason: string): void {
    // The tasks that wait are counted by the fix as it was; a later trial of it starts with no tasks.
    this.#watched.delete(fixId);
    this.#options.onTrip(fixId, reason);
  }
}

/** Waits that one fix caused in this process. */
class Watched {
  fix: FixInPolicy;
  readonly open = new Set<OpenWait>();
  /** Finished waits before the first call of tasks that have not ended. */
  readonly #settledMs = new Map<object, number>();
  readonly #queuedMs: number[] = [];
  readonly #workMs: number[] = [];
  #priceMs = 0;
  #tasks = 0;
  #failures = 0;
  #waitedMs = 0;
  /** Tasks that waited before their first call, and those of them that failed. */
  #waiters = 0;
  #waitersFailed = 0;
  #controls = 0;
  #controlFailures = 0;

  constructor(fix: FixInPolicy) {
    this.fix = fix;
  }

  close(wait: OpenWait, tookMs: number): void {
    this.open.delete(wait);
    if (!wait.isFirst || tookMs === 0) return;
    this.#settledMs.set(wait.task, (this.#settledMs.get(wait.task) ?? 0) + tookMs);
    // Tasks that never end must not fill the memory.
    if (this.#settledMs.size > MOST_COUNTED) this.#settledMs.delete(this.#settledMs.keys().next().value as object);
  }

  add({ task, priceMs, queuedMs, waitedMs, workMs, failed }: WatchedEnd): void {
    this.#settledMs.delete(task);
    push(this.#queuedMs, queuedMs);
    if (!failed) push(this.#workMs, workMs);
    this.#priceMs = priceMs;
    this.#tasks++;
    this.#waitedMs += waitedMs;
    if (failed) this.#failures++;
    if (queuedMs > 0) this.#waiters++;
    if (queuedMs > 0 && failed) this.#waitersFailed++;
    if (this.#tasks > MOST_COUNTED) this.#fade();
  }

  addControl(failed: boolean): void {
    this.#controls++;
    if (failed) this.#controlFailures++;
  }

  /** Returns why the waits cost too much; undefined if they do not. */
  excess(nowMs: number): string | undefined {
    const open = [...this.open];
    const settledMs = [...this.#settledMs.values()];
    const tasks = this.#tasks + open.length + settledMs.length;
    if (tasks < LEAST_TASKS) return undefined;
    const priceMs = Math.max(this.#priceMs, ...open.map((wait) => wait.priceMs));
    const first = open.filter(({ isFirst }) => isFirst).map(({ sinceMs, beforeMs }) => beforeMs + nowMs - sinceMs);
    const queuedMs = [...this.#queuedMs, ...settledMs, ...first];
    const mostMs = Math.max(PART_OF_PRICE * priceMs, median(this.#workMs));
    const longer = queuedMs.filter((ms) => ms > TIMERS * mostMs).length;
    if (isMoreThanOneIn20(longer, queuedMs.length)) {
      return `${longer} of ${queuedMs.length} tasks waited more than ${inSeconds(mostMs)} before their first call`;
    }
    if (this.#hasHerds) {
      return `${Math.round(this.#waitersFailed)} of ${Math.round(this.#waiters)} tasks that waited before their first call failed`;
    }
    const overMs = settledMs.reduce((sum, ms) => sum + ms, this.#waitedMs);
    const waitedMs = open.reduce((sum, wait) => sum + nowMs - wait.sinceMs, overMs);
    const spared = this.#mostSpared(tasks);
    if (waitedMs <= priceMs * spared) return undefined;
    return `${tasks} tasks waited ${inSeconds(waitedMs)} in all, for at most ${Math.round(spared)} prevented failures at ${inSeconds(priceMs)} each`;
  }

  /**
   * Returns whether tasks that waited fail clearly more often than tasks did before the fix. Tasks that wait for the same
   * moment begin together, which some providers take worse than what they waited for.
   */
  get #hasHerds(): boolean {
    const expected = this.#waiters * this.fix.rate;
    return this.#waiters >= LEAST_WAITERS && this.#waitersFailed > expected + 3 * Math.sqrt(expected) + 3;
  }

  /**
   * Returns the failures that the fix can have prevented, with two standard deviations and one on top. The fewer tasks
   * ran without the fix, the less certain their failure rate is.
   */
  #mostSpared(tasks: number): number {
    const controls = this.#controls + PRIOR_TASKS;
    const rate = (this.#controlFailures + PRIOR_TASKS * this.fix.rate) / controls;
    const expected = tasks * rate;
    const variance = expected + (tasks / controls) ** 2 * this.#controls * rate;
    return Math.max(0, expected - this.#failures) + 2 * Math.sqrt(variance) + 1;
  }

  #fade(): void {
    this.#tasks /= 2;
    this.#failures /= 2;
    this.#waitedMs /= 2;
    this.#waiters /= 2;
    this.#waitersFailed /= 2;
    this.#controls /= 2;
    this.#controlFailures /= 2;
  }
}

function push(values: number[], value: number): void {
  values.push(value);
  if (values.length > KEPT) values.shift();
}

/** Returns whether a count is above one in 20 by more than two standard deviations: a busy minute reaches less by chance. */
function isMoreThanOneIn20(count: number, of: number): boolean {
  return count > of / 20 + 2 * Math.sqrt(of / 20);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

function inSeconds(ms: number): string {
  return `${Number((ms / 1_000).toPrecision(3))} s`;
}
