import type { SessionBegan, SessionEnded, StudyEntry, StudyOpened } from './study-entry.js';

/** Session with its result, on which the judge bets. */
export interface JudgedSession {
  readonly lines: string;
  readonly tasks: number;
  readonly failures: number;
  /** Amount of each task, if the study compares amounts. `Infinity` for a session that did not end in time. */
  readonly amount?: number;
  readonly model?: string;
  /** Absent for a session that did not end before its deadline. */
  readonly ended?: SessionEnded;
}

/** Time for an end that was written before the deadline to appear in the log. */
const GRACE_MS = 60_000;

/**
 * Sessions of a study in the order in which they began. Ends before the beginning, second ends and second beginnings
 * are ignored.
 */
export class SessionOrder {
  readonly #opened: StudyOpened;
  readonly #began = new Map<string, SessionBegan>();
  readonly #waiting: SessionBegan[] = [];
  readonly #ends = new Map<string, SessionEnded>();
  /** Entries taken from the log, and waiting sessions that were judged. */
  #entries = 0;
  #judged = 0;

  constructor(opened: StudyOpened) {
    this.#opened = opened;
  }

  /** Takes the entries that were added to the log since the last call. */
  take(log: readonly StudyEntry[]): void {
    for (; this.#entries < log.length; this.#entries++) {
      const entry = log[this.#entries];
      if (entry?.kind === 'began') this.#begin(entry);
      else if (entry?.kind === 'ended') this.#end(entry);
    }
  }

  /** Returns the draw of a session that began. */
  began(session: string): SessionBegan | undefined {
    return this.#began.get(session);
  }

  /** Sessions that wait for an end: their own, or that of an earlier session. */
  get waiting(): number {
    return this.#waiting.length - this.#judged;
  }

  /**
   * Returns the next session to judge. Returns `undefined` while it has neither ended nor passed its deadline: a line
   * that only makes failures slower must not look good meanwhile.
   */
  next(nowMs: number): JudgedSession | undefined {
    const session = this.#waiting[this.#judged];
    if (!session) return undefined;
    const limitMs = session.atMs + this.#opened.deadlineMs;
    const ended = this.#ends.get(session.session);
    // An end after the deadline comes too late, in every process and every replay.
    const isInTime = ended !== undefined && ended.atMs <= limitMs;
    if (!isInTime && nowMs <= limitMs + GRACE_MS) return undefined;
    this.#judged++;
    const { lines, model } = session;
    const about = { lines, ...(model !== undefined && { model }) };
    if (!isInTime) return { ...about, tasks: 1, failures: 1, ...this.#amountOf(Number.POSITIVE_INFINITY, 1) };
    const { outcome = 'failures' } = this.#opened;
    const { tasks = 1, failures } = ended;
    return { ...about, tasks, failures, ended, ...this.#amountOf(ended[outcome], tasks) };
  }

  #amountOf(total: number | undefined, tasks: number): Pick<JudgedSession, 'amount'> {
    const { outcome = 'failures' } = this.#opened;
    return outcome === 'failures' || total === undefined ? {} : { amount: total / tasks };
  }

  #begin(entry: SessionBegan): void {
    if (entry.lines.length !== this.#opened.lines.length || this.#began.has(entry.session)) return;
    this.#began.set(entry.session, entry);
    this.#waiting.push(entry);
  }

  #end(entry: SessionEnded): void {
    if (this.#began.has(entry.session) && !this.#ends.has(entry.session)) this.#ends.set(entry.session, entry);
  }
}
