import { classifyError } from '../classify/classify-error.js';
import { type MinedMessage, type MinerSnapshot, TemplateMiner } from '../classify/template-miner.js';
import { isNoEvidence } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { lazyList } from '../lib/json-pieces.js';
import { isWithin, mustBe } from '../lib/must-be.js';
import type { Period } from '../lib/rank-patterns.js';
import { TaskNames, type TaskNamesSnapshot } from '../lib/task-names.js';
import { atOnce, type Steps } from '../lib/yield-to-event-loop.js';
import { DimensionCounts, SpareRows } from './dimension-counts.js';
import { type FailureGroup, type GroupKey, type Loss, OUTLIER, type Slot } from './failure-group.js';
import { EVICTED_SHARE, FailureGroups, type FailureGroupsSnapshot } from './failure-groups.js';
import { keysOfFailure, keysOfNamed, sentenceOf } from './group-keys.js';
import { IMPACT_RATES, type ImpactRates } from './impact.js';
import { InnerFailures, type InnerFailuresSnapshot } from './inner-failures.js';
import { findOutliers } from './outliers.js';
import { type Member, PatternReader } from './read-patterns.js';
import { RECURRENCE_THRESHOLD, WINDOW_MS } from './recurrence.js';
import { SessionCounts, type SessionCountsSnapshot } from './session-counts.js';
import { TaskStats, type TaskStatsSnapshot } from './task-stats.js';
import { KEPT_BUCKETS, Timeline } from './timeline.js';
import { Timelines } from './timelines.js';

/** Harm of an issue on a successful task, in failed tasks. */
const NAMED_HARM = 0.2;
const SNAPSHOT_VERSION = 10;
const DAY_MS = 86_400_000;

export interface AnalyzerOptions {
  /** Occurrences inside the window that make a pattern recurring. Default 3. */
  readonly recurrenceThreshold?: number;
  /** Length of the counting window. Default 7 days. */
  readonly windowMs?: number;
  /** Limit on groups. Beyond it, the least recently seen wordings are merged per task and issue. Default 4,000. */
  readonly maxGroups?: number;
  /** Limit on tasks. Beyond it, the least recently seen tasks are dropped. Default 4,000. */
  readonly maxTasks?: number;
  /** Value of a failed task in time and money. */
  readonly impactRates?: Partial<ImpactRates>;
}

/**
 * Detects recurring failures. Counts each outcome once as it arrives, with constant work and bounded memory. Asking for
 * patterns costs time proportional to the number of patterns. The same outcomes in the same order give the same
 * patterns.
 */
export class Analyzer {
  readonly #options: AnalyzerOptions;
  readonly #timeline: Timeline;
  readonly #reader: PatternReader;
  readonly #maxGroups: number;
  readonly #maxTasks: number;
  /** Keeps wordings of different group keys apart, so that one key's wildcards do not absorb another's words. */
  readonly #miner = new TemplateMiner({ separate: (message) => classifyError(message).category });
  readonly #spareRows = new SpareRows();
  #cells = new Map<string, TaskStats>();
  #groups: FailureGroups;
  #sessions = new SessionCounts(KEPT_BUCKETS);
  #sinceMs = Number.POSITIVE_INFINITY;
  #newestMs = Number.NEGATIVE_INFINITY;
  /** Version counter: increases with every outcome. */
  #count = 0;
  #inner = new InnerFailures();
  #names = new TaskNames();
  #found: { readonly counted: number; readonly last: number; readonly patterns: readonly Pattern[] } | undefined;

  constructor(options: AnalyzerOptions = {}) {
    const { windowMs = WINDOW_MS } = options;
    mustBe(isWithin(windowMs, 1), 'windowMs', windowMs, 'milliseconds from 1');
    this.#options = options;
    this.#timeline = new Timeline(windowMs);
    this.#reader = new PatternReader({
      timeline: this.#timeline,
      threshold: options.recurrenceThreshold ?? RECURRENCE_THRESHOLD,
      impactRates: { ...IMPACT_RATES, ...options.impactRates },
    });
    this.#maxGroups = options.maxGroups ?? 4_000;
    this.#groups = new FailureGroups(this.#maxGroups);
    this.#maxTasks = options.maxTasks ?? 4_000;
  }

  /**
   * Counts outcomes. The outcomes of each task must arrive in the order (atMs, id). Ignores cancelled tasks, which
   * neither succeeded nor failed.
   */
  absorb(outcomes: readonly Outcome[]): void {
    // A task and the one inside it often end in the same millisecond, in either order.
    for (const outcome of outcomes) this.#inner.add(outcome);
    for (const outcome of outcomes) {
      this.#names.add(outcome.task);
      this.#absorbOne(this.#counted(outcome));
    }
  }

  /**
   * Returns the window that all figures cover. It ends with the newest outcome before `nowMs`, so that records that are
   * months old are as useful as fresh ones.
   */
  window(nowMs: number): Period {
    const untilMs = this.#endMs(nowMs);
    return { sinceMs: untilMs - this.#timeline.windowMs, untilMs };
  }

  /** Returns all patterns in the window, failures before measures, highest impact first. */
  patterns(nowMs: number): readonly Pattern[] {
    return atOnce(this.findPatterns(nowMs));
  }

  /** Returns statistics of each task in the window, sorted by name. */
  tasks(nowMs: number): readonly TaskStatistics[] {
    return atOnce(this.describeTasks(nowMs));
  }

  /**
   * Does the work of `patterns` in steps. With many groups, one synchronous call could block the host for half a
   * second. Returns the last result until something new is counted or the window moves by a bucket.
   */
  *findPatterns(nowMs: number): Steps<readonly Pattern[]> {
    const endMs = this.#endMs(nowMs);
    const last = this.#timeline.bucketOf(endMs);
    const counted = this.#count;
    if (this.#found?.counted === counted && this.#found.last === last) return this.#found.patterns;
    const surroundings = { sessions: this.#sessions, sinceMs: this.#sinceMs };
    const patterns = yield* this.#reader.read(this.#members(), endMs, surroundings);
    if (counted === this.#count) this.#found = { counted, last, patterns };
    return patterns;
  }

  /** Does the work of `tasks` in steps. */
  *describeTasks(nowMs: number): Steps<readonly TaskStatistics[]> {
    const byTask = new Map<string, TaskStatistics>();
    const endMs = this.#endMs(nowMs);
    // Quiet time counts for a day. After that, the records are a past whose rate does not depend on how old it is.
    const observedMs = nowMs < endMs + DAY_MS ? nowMs : endMs;
    // A task that also runs inside other tasks is described by its top-level runs; child runs are excluded.
    for (const child of [true, false]) {
      for (const cell of this.#cells.values()) {
        if (cell.child !== child) continue;
        const statistics = cell.statistics(endMs, observedMs);
        if (statistics.outcomes > 0) byTask.set(cell.task, statistics);
        yield;
      }
    }
    return [...byTask.values()].sort((a, b) => (a.task < b.task ? -1 : 1));
  }

  /** Returns counts per bucket of the window. Their cost depends on the number of tasks and patterns. */
  timelines(nowMs: number): Timelines {
    return new Timelines(
      { timeline: this.#timeline, cells: () => this.#cells.values(), groups: () => this.#groups },
      this.#endMs(nowMs),
    );
  }

  /** Returns the duration of the slowest run of this task in the window before `nowMs`, failed or not; 0 if unknown. */
  slowestMs(task: string, nowMs: number): number {
    const name = this.#names.countedAs(task);
    const slowestOf = (child: boolean) => this.#cells.get(cellKey(name, child))?.slowestMs(nowMs) ?? 0;
    return Math.max(slowestOf(false), slowestOf(true));
  }

  /** Returns the duration of the slowest run of each task that took a minute or longer, as `slowestMs` does. */
  slowest(nowMs: number): Readonly<Record<string, number>> {
    const found: [string, number][] = [];
    for (const { task } of this.#cells.values()) found.push([task, this.slowestMs(task, nowMs)]);
    return Object.fromEntries(found.filter(([, ms]) => ms >= 60_000));
  }

  /**
   * Returns how often a pattern occurred since a moment, among the tasks that could have shown it. Counts whole buckets
   * (hours by default), from the first one that begins at that moment or later.
   */
  since(patternId: string, fromMs: number): { readonly count: number; readonly of: number } {
    const group = this.#groups.get(patternId);
    const cell = group && this.#cells.get(cellKey(group.key.task, group.key.child));
    if (!group || !cell) return { count: 0, of: 0 };
    const first = this.#timeline.bucketOf(fromMs - 1) + 1;
    const last = Number.POSITIVE_INFINITY;
    const { count } = group.window(first, last);
    return { count, of: cell.couldShow(group.key.kind, group.key.wording === OUTLIER, first, last) };
  }

  /** Returns the id of the pattern that this pattern was merged into, or its own id. */
  resolve(patternId: string): string {
    return this.#groups.resolve(patternId);
  }

  /**
   * Returns the ids of the patterns in which an outcome was counted. Leaves out those that it can only be compared with
   * the past for: slow, costly, and low quality.
   */
  patternsOf(recorded: Outcome): readonly string[] {
    const outcome = this.#counted(recorded);
    const wordingOf = (message: string) => this.#miner.find(message);
    const keys = outcome.success ? keysOfNamed(outcome) : keysOfFailure(outcome, wordingOf);
    return keys.flatMap((key) => this.#groups.find(key) ?? []);
  }

  /** Length of the window. */
  get windowMs(): number {
    return this.#timeline.windowMs;
  }

  /** Returns an analyzer with the same counts. Neither changes the other. */
  copy(): Analyzer {
    const kept = JSON.parse(JSON.stringify(this.snapshot())) as Json; // its lists are created while they are written
    return Analyzer.restore(kept, this.#options) ?? new Analyzer(this.#options);
  }

  /** Returns the complete state, for `Analyzer.restore`. */
  snapshot(): Json {
    return {
      version: SNAPSHOT_VERSION,
      windowMs: this.#timeline.windowMs,
      miner: this.#miner.snapshot() as unknown as Json, // plain JSON, too, but its type lacks an index signature
      sessions: this.#sessions.snapshot(),
      sinceMs: Number.isFinite(this.#sinceMs) ? this.#sinceMs : null,
      cells: lazyList(this.#cells, ([, cell]) => cell.snapshot()),
      groups: this.#groups.snapshot(),
      inner: this.#inner.snapshot(),
      names: this.#names.snapshot(),
    };
  }

  /** Restores an analyzer from `snapshot`. Returns `undefined` if another version or window created the snapshot. */
  static restore(snapshot: Json, options: AnalyzerOptions = {}): Analyzer | undefined {
    return atOnce(Analyzer.restoring(snapshot, options));
  }

  /** Does the work of `restore` in steps. */
  static *restoring(snapshot: Json, options: AnalyzerOptions = {}): Steps<Analyzer | undefined> {
    // The version shows that this code wrote the snapshot, so its parts have the expected shape.
    const kept = snapshot as unknown as AnalyzerSnapshot | null;
    if (kept?.version !== SNAPSHOT_VERSION) return undefined;
    const analyzer = new Analyzer(options);
    if (kept.windowMs !== analyzer.#timeline.windowMs) return undefined;
    analyzer.#miner.restore(kept.miner);
    analyzer.#sessions = SessionCounts.restore(kept.sessions, KEPT_BUCKETS);
    if (kept.inner) analyzer.#inner = InnerFailures.restore(kept.inner);
    analyzer.#names = new TaskNames(kept.names);
    analyzer.#sinceMs = kept.sinceMs ?? Number.POSITIVE_INFINITY;
    for (const each of kept.cells) {
      const cell = TaskStats.restore(each, analyzer.#timeline, analyzer.#spareRows);
      analyzer.#cells.set(cellKey(cell.task, cell.child), cell);
      analyzer.#newestMs = Math.max(analyzer.#newestMs, cell.lastSeenMs);
      yield;
    }
    const rows = new Map([...analyzer.#cells].map(([key, { profiles }]) => [key, profiles.byNumber()]));
    analyzer.#groups = yield* FailureGroups.restore(kept.groups, {
      maxGroups: analyzer.#maxGroups,
      rowsOf: ({ task, child }) => rows.get(cellKey(task, child)) ?? new Map(),
    });
    return analyzer;
  }

  /** Returns the outcome under the name that it counts as: many names with ids count as one. */
  #counted(outcome: Outcome): Outcome {
    const task = this.#names.countedAs(outcome.task);
    return task === outcome.task ? outcome : { ...outcome, task };
  }

  #absorbOne(outcome: Outcome): void {
    if (!Number.isFinite(outcome.atMs) || isNoEvidence(outcome.issues)) return;
    this.#count++;
    const bucket = this.#timeline.bucketOf(outcome.atMs);
    const weight = outcome.weight ?? 1;
    if (outcome.atMs < this.#sinceMs) this.#sinceMs = outcome.atMs;
    if (outcome.atMs > this.#newestMs) this.#newestMs = outcome.atMs;
    if (outcome.session !== undefined) this.#sessions.add(outcome.session, bucket);
    const cell = this.#cellFor(outcome);
    cell.absorb(outcome, bucket, weight);
    cell.absorbCalls(outcome, bucket, weight);
    const place: Slot = { bucket, row: cell.profiles.absorb(outcome, bucket, weight) };
    if (outcome.success) this.#absorbSuccess(outcome, cell, place, weight);
    else this.#absorbFailure(outcome, place, weight);
  }

  /** Returns the time of the newest outcome before `nowMs`. Outcomes dated later do not move it. */
  #endMs(nowMs: number): number {
    if (this.#newestMs <= nowMs) return Number.isFinite(this.#newestMs) ? this.#newestMs : nowMs;
    let endMs = Number.NEGATIVE_INFINITY;
    for (const cell of this.#cells.values()) endMs = Math.max(endMs, cell.newestBefore(nowMs));
    return Number.isFinite(endMs) ? endMs : nowMs;
  }

  /** Counts a success in a pattern if it was slow, costly or of low quality, or if its caller named an issue. */
  #absorbSuccess(outcome: Outcome, cell: TaskStats, place: Slot, weight: number): void {
    const { task } = outcome;
    const child = outcome.parent !== undefined;
    const usual = cell.compare(outcome, place.bucket, weight);
    for (const { kind, issue, ...loss } of findOutliers(outcome, usual)) {
      const key: GroupKey = { kind, task, child, issue, wording: OUTLIER };
      this.#groupFor(key, undefined).absorb(outcome, place, { weight, ...loss });
    }
    for (const key of keysOfNamed(outcome)) {
      this.#groupFor(key, undefined).absorb(outcome, place, { weight, harm: NAMED_HARM, lostMs: 0, lostUsd: 0 });
    }
  }

  #absorbFailure(outcome: Outcome, place: Slot, weight: number): void {
    const loss: Loss = { weight, harm: 1, lostMs: outcome.durationMs ?? 0, lostUsd: outcome.costUsd ?? 0 };
    const mined = outcome.error && this.#mine(outcome.error.message);
    const isInner = this.#inner.explain(outcome);
    for (const key of keysOfFailure(outcome, () => mined?.id ?? '')) {
      this.#groupFor(key, key.wording === '' ? undefined : mined?.template).absorb(outcome, place, loss, isInner);
    }
  }

  *#members(): Generator<Member> {
    for (const group of this.#groups) {
      const cell = this.#cells.get(cellKey(group.key.task, group.key.child));
      if (cell) yield { group, cell };
    }
  }

  #cellFor(outcome: Outcome): TaskStats {
    const child = outcome.parent !== undefined;
    const key = cellKey(outcome.task, child);
    let cell = this.#cells.get(key);
    if (!cell) {
      if (this.#cells.size >= this.#maxTasks) this.#forgetTasks();
      cell = new TaskStats({ task: outcome.task, child }, this.#timeline, new DimensionCounts(this.#spareRows));
      this.#cells.set(key, cell);
    }
    return cell;
  }

  #groupFor(key: GroupKey, template: string | undefined): FailureGroup {
    const group = this.#groups.at(key, () => template ?? sentenceOf(key));
    if (template !== undefined) group.template = template;
    return group;
  }

  #mine(message: string): MinedMessage {
    const known = this.#miner.size;
    const mined = this.#miner.add(message);
    // Fewer wordings than before: some were merged or evicted.
    if (this.#miner.size < known) this.#groups.joinWordings((wording) => this.#miner.resolve(wording));
    return mined;
  }

  #forgetTasks(): void {
    const cells = [...this.#cells].sort((a, b) => a[1].lastSeenMs - b[1].lastSeenMs || (a[0] < b[0] ? -1 : 1));
    for (const [key, cell] of cells.slice(0, Math.ceil(cells.length * EVICTED_SHARE))) {
      cell.profiles.leave();
      this.#cells.delete(key);
    }
    this.#groups.delete(({ key }) => !this.#cells.has(cellKey(key.task, key.child)));
  }
}

interface AnalyzerSnapshot {
  readonly version: number;
  readonly windowMs: number;
  readonly miner: MinerSnapshot;
  readonly sessions: SessionCountsSnapshot;
  readonly sinceMs: number | null;
  readonly cells: Iterable<TaskStatsSnapshot>;
  readonly groups: FailureGroupsSnapshot;
  /** Missing in older snapshots. */
  readonly inner?: InnerFailuresSnapshot;
  /** Missing in older snapshots. */
  readonly names?: TaskNamesSnapshot;
}

function cellKey(task: string, child: boolean): string {
  return (child ? 'child ' : 'top ') + task;
}
