import { redact, type Store } from 'rsi-loop';
import { wilsonRate } from 'rsi-loop/kit';
import type { CiReport, Finding, ReadReport, UnreadReport } from './ci-report.js';
import { type ComparedTest, Comparison } from './comparison.js';
import { groupFailures } from './group.js';
import { History, type PastRun } from './history.js';
import { CLASSES, type TestClass } from './judge-test.js';
import type { OpenedReport } from './open-report.js';
import { type Place, Places } from './place.js';
import { logSuite } from './readers/log.js';
import { reportId, TestRecorder } from './record-tests.js';
import type { RunInfo } from './run-info.js';
import type { ReportItem, TestCase } from './test-case.js';
import { testKey } from './test-key.js';

/** Findings that are listed; the others are counted. */
const MAX_FINDINGS = 5_000;
/** Attempts from which on a rate is shown. */
const MIN_ATTEMPTS = 10;

export interface CiOptions {
  readonly store: Store;
  readonly reports: readonly OpenedReport[];
  readonly run: RunInfo;
  readonly nowMs: number;
  /** Folder that the tests ran in, and that of the project. */
  readonly folder: string;
  readonly root: string;
  readonly failOn: readonly TestClass[];
  /** Files that were named and could not be opened. */
  readonly unread: readonly UnreadReport[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (tests: number) => void;
}

/** Reads reports of tests, records their results in a store, and compares them with the past. */
export async function runCi(options: CiOptions): Promise<CiReport> {
  const reports = options.reports.map((report) => ({ report, id: reportId(report.hash, options.run) }));
  const ids = reports.map(({ id }) => id);
  const history = await History.read(options.store.journal, options.run, ids);
  // A report that is read again is compared with what was known when it was recorded.
  const firstMs = Math.min(...ids.map((id) => history.recordedMs(id) ?? options.nowMs));
  const recorder = await TestRecorder.open(options.store, options.run, firstMs);
  const run = new CiRun(options, { history, recorder, atMs: firstMs });
  for (const { report, id } of reports) {
    if (!options.signal?.aborted) await run.read(report, id);
  }
  await recorder.flush();
  return run.result();
}

interface Parts {
  readonly history: History;
  readonly recorder: TestRecorder;
  readonly atMs: number;
}

interface Found {
  readonly test: TestCase;
  readonly key: number;
  readonly judged: ComparedTest;
}

/** State of one run: what was read so far. */
class CiRun {
  readonly #options: CiOptions;
  readonly #history: History;
  readonly #recorder: TestRecorder;
  readonly #comparison: Comparison;
  readonly #places: Places;
  readonly #atMs: number;
  readonly #found = new Map<number, Found>();
  readonly #reports: ReadReport[] = [];
  readonly #unread: UnreadReport[];
  readonly #counts = { tests: 0, passed: 0, failed: 0, skipped: 0 };
  /** Failed and retried tests of the report that is being read: another attempt may follow. */
  readonly #held = new Map<number, TestCase>();
  #more = 0;

  constructor(options: CiOptions, { history, recorder, atMs }: Parts) {
    this.#options = options;
    this.#history = history;
    this.#recorder = recorder;
    this.#atMs = atMs;
    this.#comparison = new Comparison(history, options.run, atMs);
    this.#places = new Places(options.folder, options.root);
    this.#unread = [...options.unread];
  }

  async read(report: OpenedReport, id: string): Promise<void> {
    const { root, run, signal, onProgress } = this.#options;
    const commit = run.commit ?? `run ${this.#atMs}`;
    const state = new ReportState(report, { branch: run.branch, commit, atMs: this.#atMs, report: id });
    for await (const items of report.reader.read({ path: report.path, root, text: report.text() })) {
      if (signal?.aborted) break;
      for (const item of items) this.#item(item, state);
      await this.#recorder.writeLot();
      onProgress?.(this.#counts.tests + state.tests);
    }
    if (!signal?.aborted && report.reader.name === 'log') this.#silent(state);
    for (const [key, test] of this.#held) this.#settle(test, key, state);
    this.#held.clear();
    this.#counts.tests += state.tests;
    this.#reports.push({ path: report.path, format: report.reader.name, tests: state.tests, recorded: state.recorded });
    if (state.tests === 0 && !state.hasProblem)
      this.#unread.push({ path: report.path, problem: 'the report holds no test' });
  }

  #item(item: ReportItem, state: ReportState): void {
    if ('problem' in item) {
      state.hasProblem = true;
      this.#unread.push({ path: state.path, ...item });
      return;
    }
    const test = { ...item, suite: this.#places.stable(item.suite), name: this.#places.stable(item.name) };
    const key = testKey(test.suite, test.name);
    if (test.isContainer && test.result !== 'failed') {
      if (this.#history.hasFailed(key)) this.#settle(test, key, state);
      return;
    }
    const held = item.isRetry ? this.#held.get(key) : undefined;
    if (!held) state.tests++;
    if (held) this.#held.set(key, joined(held, test));
    else if (test.result === 'failed' || (test.failedAttempts ?? 0) > 0) this.#held.set(key, test);
    else this.#settle(test, key, state);
  }

  /** Counts, records and compares a test whose attempts are complete. */
  #settle(test: TestCase, key: number, state: ReportState): void {
    if (!test.isContainer || test.result === 'failed') this.#counts[test.result]++;
    if (test.result === 'skipped') return;
    const passed = test.result === 'passed';
    const entry = { run: state.run, passed, failedAttempts: test.failedAttempts ?? (passed ? 0 : 1) };
    const judged = this.#comparison.judge(key, entry);
    if (!this.#history.isRecorded(state.run.report, key)) {
      const frames = test.failure ? this.#places.frames(test.failure.details) : [];
      const at = frames[0] && placeWords(frames[0]);
      const recorded = { test, key, report: state.run.report, isLog: state.isLog, ...(at !== undefined && { at }) };
      if (this.#recorder.record(recorded)) state.recorded++;
      // Later reports of this run see the result.
      if (!passed || this.#options.reports.length > 1) this.#history.add(key, entry);
    }
    this.#keep({ test, key }, judged);
  }

  #keep(found: Omit<Found, 'judged'>, judged: ComparedTest | undefined): void {
    const known = this.#found.get(found.key);
    if (!judged) return;
    if (!known && this.#found.size >= MAX_FINDINGS) this.#more++;
    else this.#found.set(found.key, { ...found, judged, test: { ...known?.test, ...found.test } });
  }

  /** A failure that a log no longer reports has passed. */
  #silent(state: ReportState): void {
    const suite = this.#places.stable(logSuite(state.path));
    for (const [key, name] of this.#history.failuresOf(suite)) {
      if (this.#held.has(key) || this.#history.of(key).at(-1)?.passed) continue;
      state.tests++;
      this.#settle({ suite, name, result: 'passed' }, key, state);
    }
  }

  result(): CiReport {
    const { run, failOn } = this.#options;
    const found = [...this.#found.values()].sort(byUrgency);
    const { findings, patterns } = this.#grouped(found);
    const counts = { ...this.#counts, new: 0, returned: 0, broken: 0, flaky: 0, fixed: 0 };
    for (const finding of findings) counts[finding.class]++;
    const { branch, base, commit, job, isChanged } = run;
    return {
      format: 'rsi-ci/1',
      run: { branch, base, commit, job, isChanged },
      compared: this.#comparison.compared,
      reports: this.#reports,
      unread: this.#unread,
      counts,
      findings,
      more: this.#more,
      patterns,
      failOn,
      failed: this.#unread.length > 0 || this.#more > 0 || findings.some((finding) => failOn.includes(finding.class)),
    };
  }

  #grouped(found: readonly Found[]): Pick<CiReport, 'findings' | 'patterns'> {
    const failing = found.filter(({ test }) => test.failure !== undefined && test.result === 'failed');
    const places = failing.map(({ test }) => this.#places.frames(test.failure?.details)[0]);
    const failures = failing.map(({ test }, number) => {
      const place = places[number];
      return { message: redact(test.failure?.message ?? ''), at: place && placeWords(place) };
    });
    const groups = groupFailures(failures);
    const patternOf = new Map(groups.flatMap(({ id, tests }) => tests.map((number) => [failing[number]?.key, id])));
    return {
      findings: found.map((each) => this.#finding(each, patternOf.get(each.key))),
      patterns: groups.map(({ id, issue, template, tests }) => {
        const [at, ...others] = new Set(tests.map((number) => failures[number]?.at));
        return { id, issue, template, count: tests.length, ...(at !== undefined && others.length === 0 && { at }) };
      }),
    };
  }

  #finding({ test, key, judged }: Found, pattern: string | undefined): Finding {
    const { failure, durationMs } = test;
    const { failed, of } = judged.attempts;
    const showsRate = judged.class === 'flaky' && of >= MIN_ATTEMPTS;
    return {
      ...judged,
      suite: redact(test.suite),
      name: redact(test.name),
      id: key.toString(16).padStart(13, '0'),
      ...this.#places.of(test),
      ...(failure && judged.class !== 'fixed' && { message: redact(failure.message) }),
      ...(failure?.details !== undefined && judged.class !== 'fixed' && { details: redact(failure.details) }),
      ...(durationMs !== undefined && { durationMs }),
      ...(showsRate && { rate: wilsonRate(failed, of) }),
      ...(pattern !== undefined && { pattern }),
    };
  }
}

/** Counts of one report. */
class ReportState {
  readonly path: string;
  readonly isLog: boolean;
  readonly run: PastRun;
  tests = 0;
  recorded = 0;
  hasProblem = false;

  constructor({ path, reader }: OpenedReport, run: PastRun) {
    this.path = path;
    this.isLog = reader.name === 'log';
    this.run = run;
  }
}

/** Joins a further attempt with the failed ones before it. */
function joined(before: TestCase, again: TestCase): TestCase {
  const failed = (before.failedAttempts ?? 1) + (again.failedAttempts ?? (again.result === 'failed' ? 1 : 0));
  const failure = again.failure ?? before.failure;
  return { ...again, failedAttempts: failed, ...(failure && { failure }) };
}

function byUrgency(one: Found, other: Found): number {
  const order = CLASSES.indexOf(one.judged.class) - CLASSES.indexOf(other.judged.class);
  return order || compareText(one.test.suite, other.test.suite) || compareText(one.test.name, other.test.name);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function placeWords({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}
