import type { Cursor, JournalRecord, Outcome, RSILoop, Start } from 'rsi-loop';
import { followedParts, type Period } from 'rsi-loop/kit';
import { Pauses } from './pauses.js';
import { Spending } from './spending.js';
import { tailOf } from './tail.js';

/** Records between two looks at the clock. */
const RECORDS_PER_LOOK = 32;
/** Limit on sessions whose arms are known. */
const MAX_ARMS = 20_000;

export interface RecentOutcomesOptions {
  /** Number of outcomes held in memory. Default 50,000. */
  readonly limit?: number;
  /** Holds only outcomes that ended in this period, and reads the whole journal for them. Default: its tail. */
  readonly within?: Period;
  /** Called when the tail of the journal has been read. */
  readonly onFilled?: () => void;
  readonly onProblem?: (error: unknown) => void;
}

/** Arms that a session drew, by fix. */
export type SessionArms = ReadonlyMap<string, 'fix' | 'control'>;

/**
 * Index of the newest stored outcomes, found by session and by class of failure. Reads the tail of the journal once, in
 * slices, and follows it from there. Holds only records that a cycle has counted.
 */
export class RecentOutcomes {
  readonly #loop: RSILoop;
  readonly #options: RecentOutcomesOptions;
  readonly #limit: number;
  /** In the order of reading. Entries before `#first` were dropped. */
  #outcomes: (Outcome | undefined)[] = [];
  #first = 0;
  #sessions = new Map<string, Outcome[]>();
  /** Outcomes with an issue, by task and issue. */
  #byIssue = new Map<string, Outcome[]>();
  #arms = new Map<string, Map<string, 'fix' | 'control'>>();
  #spending = new Spending();
  #cursor: Cursor | undefined;
  #reading: Promise<void> | undefined;
  #isClosed = false;
  #span: Period | undefined;

  constructor(loop: RSILoop, options: RecentOutcomesOptions = {}) {
    this.#loop = loop;
    this.#options = options;
    this.#limit = options.limit ?? 50_000;
  }

  /** Number of outcomes that searches look at. */
  get size(): number {
    return this.#outcomes.length - this.#first;
  }

  /** First and last end of the outcomes read so far. */
  get span(): Period | undefined {
    return this.#span;
  }

  /** All outcomes, in the order of reading. */
  get outcomes(): readonly Outcome[] {
    return this.#outcomes.flatMap((outcome) => outcome ?? []);
  }

  /** Sessions with their outcomes in the order of reading. */
  get sessions(): ReadonlyMap<string, readonly Outcome[]> {
    return this.#sessions;
  }

  /** Returns the outcomes of a session, in the order of reading. */
  ofSession(session: string): readonly Outcome[] {
    return this.#sessions.get(session) ?? [];
  }

  /** Returns the outcomes of a task with this issue, in the order of reading. */
  ofIssue(task: string, issue: string): readonly Outcome[] {
    return this.#byIssue.get(taskIssueKey(task, issue)) ?? [];
  }

  /** Returns the outcomes with these ids. */
  byId(ids: readonly string[]): readonly Outcome[] {
    const wanted = new Set(ids);
    return this.#outcomes.flatMap((outcome) => (outcome && wanted.has(outcome.id) ? [outcome] : []));
  }

  /** Returns the arms that the tasks of a session were given. */
  armsOf(session: string): SessionArms {
    return this.#arms.get(session) ?? new Map();
  }

  /** Durations, tokens and cost of calls. */
  get spending(): Pick<Spending, 'of'> {
    return this.#spending;
  }

  /** Reads in the background the records that cycles have counted since the last call. Resolves when they are known. */
  follow(): Promise<void> {
    this.#reading ??= this.#follow()
      .catch((error) => this.#options.onProblem?.(error))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** Forgets everything, because records were erased or the store was replaced. */
  reset(): void {
    this.#outcomes = [];
    this.#first = 0;
    this.#sessions = new Map();
    this.#byIssue = new Map();
    this.#arms = new Map();
    this.#spending = new Spending();
    this.#cursor = undefined;
  }

  /** Ends reading. */
  close(): void {
    this.#isClosed = true;
    this.reset();
  }

  async #follow(): Promise<void> {
    const { store } = this.#loop;
    const end = (await followedParts(this.#loop)).ledger.cursor;
    const isFirst = this.#cursor === undefined;
    const from = this.#cursor ?? (await this.#start(end));
    this.#cursor = from;
    const pauses = new Pauses();
    let count = 0;
    for await (const { record } of store.journal.read(from, end)) {
      // Closed or reset meanwhile: what follows is not wanted.
      if (this.#isClosed || this.#cursor !== from) return;
      this.#add(record);
      if (++count % RECORDS_PER_LOOK === 0 && pauses.isDue) await pauses.take();
    }
    this.#cursor = { ...from, ...end };
    if (isFirst) this.#options.onFilled?.();
  }

  async #start(end: Cursor): Promise<Cursor> {
    if (this.#options.within !== undefined) return {};
    return tailOf(end, await this.#loop.store.coordination.writers(), this.#limit);
  }

  #add(record: JournalRecord): void {
    if (record.kind === 'start') this.#addArms(record.start);
    else this.#addOutcome(record.outcome);
  }

  #addOutcome(outcome: Outcome): void {
    const { atMs } = outcome;
    const { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = this.#options.within ?? {};
    if (atMs < sinceMs || atMs > untilMs) return;
    this.#span = {
      sinceMs: Math.min(atMs, this.#span?.sinceMs ?? atMs),
      untilMs: Math.max(atMs, this.#span?.untilMs ?? atMs),
    };
    this.#outcomes.push(outcome);
    if (outcome.session !== undefined) addTo(this.#sessions, outcome.session, outcome);
    for (const issue of outcome.issues) addTo(this.#byIssue, taskIssueKey(outcome.task, issue), outcome);
    this.#spending.add(outcome);
    if (this.size > this.#limit) this.#dropOldest();
  }

  #addArms({ session, arms }: Start): void {
    if (session === undefined || arms.length === 0) return;
    const known = this.#arms.get(session) ?? new Map<string, 'fix' | 'control'>();
    for (const { fixId, arm } of arms) known.set(fixId, arm);
    this.#arms.set(session, known);
    const [oldest] = this.#arms.keys();
    if (this.#arms.size > MAX_ARMS && oldest !== undefined) this.#arms.delete(oldest);
  }

  #dropOldest(): void {
    const oldest = this.#outcomes[this.#first];
    this.#outcomes[this.#first++] = undefined;
    if (this.#first > this.#limit) {
      this.#outcomes = this.#outcomes.slice(this.#first);
      this.#first = 0;
    }
    if (oldest === undefined) return;
    if (oldest.session !== undefined) dropFrom(this.#sessions, oldest.session);
    for (const issue of oldest.issues) dropFrom(this.#byIssue, taskIssueKey(oldest.task, issue));
  }
}

function taskIssueKey(task: string, issue: string): string {
  return JSON.stringify([task, issue]);
}

function addTo(lists: Map<string, Outcome[]>, key: string, outcome: Outcome): void {
  const list = lists.get(key);
  if (list) list.push(outcome);
  else lists.set(key, [outcome]);
}

/** Drops the oldest entry of a list, which is the one that was read first of all. */
function dropFrom(lists: Map<string, Outcome[]>, key: string): void {
  const list = lists.get(key);
  list?.shift();
  if (list?.length === 0) lists.delete(key);
}
