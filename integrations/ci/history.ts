import type { JsonObject, Outcome } from 'rsi-loop';
import type { Journal } from 'rsi-loop/testing';
import type { RunInfo } from './run-info.js';

/** Source of the outcomes of tests. */
export const CI_SOURCE = 'ci';
/** Tag of outcomes that come from logs, where silence is success. */
export const LOG_TAG = 'log';

/** Run of earlier times, or of this one. */
export interface PastRun {
  readonly branch: string;
  readonly commit: string | undefined;
  readonly atMs: number;
  /** Id of the report that the results come from. */
  readonly report: string;
}

/** Result of a test in one run. */
export interface Entry {
  readonly run: PastRun;
  readonly passed: boolean;
  /** Attempts that failed; of a passed test those before it passed. */
  readonly failedAttempts: number;
}

/** Most failed attempts that an entry can hold. */
const MAX_ATTEMPTS = 7;
const STEP = 16;

/** Earlier results of every test of one job, in the order they were recorded. One number each is kept. */
export class History {
  readonly #runs: PastRun[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #entries = new Map<number, number[]>();
  /** Failures of logs, by key: their names. */
  readonly #logs = new Map<number, string>();
  /** When each report was first recorded. */
  readonly #reports = new Map<string, number>();
  readonly #recorded: ReadonlyMap<string, Set<number>>;

  private constructor(reports: readonly string[]) {
    this.#recorded = new Map(reports.map((report) => [report, new Set()]));
  }

  /** Reads the past of a job from the store. `reports` are those to record now. */
  static async read(
    journal: Pick<Journal, 'read'>,
    { job }: Pick<RunInfo, 'job'>,
    reports: readonly string[],
  ): Promise<History> {
    const history = new History(reports);
    for await (const { record } of journal.read()) {
      if (record.kind === 'outcome' && record.outcome.source === CI_SOURCE) history.#read(record.outcome, job);
    }
    return history;
  }

  #read({ id, atMs, success, attempts, context, session, tags, task }: Outcome, job: string): void {
    const key = Number.parseInt(id.slice(id.lastIndexOf('-') + 1), 16);
    if (session === undefined || Number.isNaN(key) || textIn(context, 'job') !== job) return;
    const firstMs = this.#reports.get(session);
    this.#reports.set(session, Math.min(firstMs ?? atMs, atMs));
    const failed = attempts?.filter((attempt) => !attempt.success).length ?? (success ? 0 : 1);
    this.#recorded.get(session)?.add(key);
    const commit = textIn(context, 'commit');
    const run = { branch: textIn(context, 'branch') ?? '', commit, atMs, report: session };
    this.add(key, { run, passed: success, failedAttempts: failed });
    if (tags?.includes(LOG_TAG)) this.#logs.set(key, task);
  }

  add(key: number, { run, passed, failedAttempts }: Entry): void {
    let number = this.#numbers.get(run.report);
    if (number === undefined) {
      number = this.#runs.push(run) - 1;
      this.#numbers.set(run.report, number);
    }
    const entry = number * STEP + Math.min(failedAttempts, MAX_ATTEMPTS) * 2 + (passed ? 1 : 0);
    const known = this.#entries.get(key);
    if (known) known.push(entry);
    else this.#entries.set(key, [entry]);
  }

  /** Returns when a report was first recorded, or undefined if it is new. */
  recordedMs(report: string): number | undefined {
    return this.#reports.get(report);
  }

  /** Returns whether the store already holds the result of a test in a report. */
  isRecorded(report: string, key: number): boolean {
    return this.#recorded.get(report)?.has(key) ?? false;
  }

  /** Returns all results of a test, oldest first. */
  of(key: number): readonly Entry[] {
    const entries = (this.#entries.get(key) ?? []).flatMap((entry) => {
      const run = this.#runs[Math.floor(entry / STEP)];
      return run ? [{ run, passed: entry % 2 === 1, failedAttempts: Math.floor((entry % STEP) / 2) }] : [];
    });
    return entries.sort((one, other) => one.run.atMs - other.run.atMs);
  }

  /** Returns whether a test ever failed: if not, its passing needs no look at the past. */
  hasFailed(key: number): boolean {
    return this.#entries.get(key)?.some((entry) => entry % STEP !== 1) ?? false;
  }

  /** Returns the known failures of a log. */
  *failuresOf(suite: string): Generator<readonly [key: number, name: string]> {
    const start = `${suite} › `;
    for (const [key, task] of this.#logs) if (task.startsWith(start)) yield [key, task.slice(start.length)];
  }

  /** Returns the number of runs before a time, by branch. */
  runsBefore(atMs: number): ReadonlyMap<string, number> {
    const moments = new Map<string, Set<number>>();
    for (const run of this.#runs) {
      if (run.atMs >= atMs) continue;
      const known = moments.get(run.branch) ?? new Set();
      moments.set(run.branch, known.add(run.atMs));
    }
    return new Map([...moments].map(([branch, times]) => [branch, times.size]));
  }

  /** Returns the time of the first run of a branch; Infinity if it has none. */
  firstRunMs(branch: string): number {
    return this.#runs.reduce(
      (first, run) => (run.branch === branch ? Math.min(first, run.atMs) : first),
      Number.POSITIVE_INFINITY,
    );
  }
}

function textIn(context: JsonObject | undefined, name: string): string | undefined {
  const value = context?.[name];
  return typeof value === 'string' ? value : undefined;
}
