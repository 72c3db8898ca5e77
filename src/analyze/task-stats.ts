import type { Issue } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { PatternKind } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { eachAttempt } from '../lib/attempts.js';
import { BIN_EDGE } from '../lib/quantile-sketch.js';
import { Baseline, type BaselineSnapshot, type Usual } from './baseline.js';
import { DimensionCounts, type DimensionCountsSnapshot, type SpareRows } from './dimension-counts.js';
import { ModelCounts, type ModelCountsSnapshot } from './model-counts.js';
import { type UsualFigures, weighTokens } from './outliers.js';
import { PlacedBaselines, type PlacedBaselinesSnapshot } from './placed-baselines.js';
import { generationOf, type Row } from './profile-row.js';
import type { Occurrences } from './profile-view.js';
import { RowCounts, type RowCountsSnapshot } from './row-counts.js';
import { Series } from './series.js';
import type { Column } from './series-rate.js';
import { Slowest, type SlowestSnapshot } from './slowest.js';
import { KEPT_BUCKETS, type Timeline } from './timeline.js';

/** Columns of a cell's series. The first is the denominator of every rate. */
const OUTCOMES = 0;
const FAILURES = 1;
const MANAGED = 2;
/** Successes comparable with their task's past (by time and price), and those with a quality rating. */
const TIMED = 3;
const PRICED = 4;
const RATED = 5;
const IN_SESSIONS = 6;
/** Managed and part of a session. */
const ADVISED = 7;
/** Host declared that the task may be retried after a failure, or that it may not. */
const REPEATABLE = 8;
const UNREPEATABLE = 9;
/** Calls that were only observed, so no policy applies to them. */
const CAPTURED = 10;
/** Failures that list their attempts. */
const ATTEMPTED = 11;
const COLUMNS = 12;
/** Limit on issues of failed calls counted by place. */
const MAX_CALL_ISSUES = 32;
/** Limit on sessions whose tasks are counted one by one. */
const MAX_SESSIONS = 64;
/** Minimum sessions for a mean. */
const MIN_SESSIONS = 8;
/** Minimum durations for meaningful quantiles. */
const MIN_DURATIONS = 20;
/** Gap after which a task counts as apart from the one before. */
const APART_MS = 30_000;
/** Newest tasks over which gaps are averaged, and the minimum for a mean. */
const GAPS = 100;
const MIN_GAPS = 20;
const DAY_MS = 86_400_000;
/** Minimum time span: a shorter one would inflate the estimate per day. */
const MIN_SPAN_MS = 1_000;
/** Quantile sketches begin at 1, so costs are stored in millionths of a dollar. */
const USD_SCALE = 1e6;
const COMPARED: Readonly<Record<PatternKind, number>> = {
  failure: OUTCOMES,
  slow: TIMED,
  costly: PRICED,
  'low-quality': RATED,
};

/** Statistics of one task: the denominators of its patterns' rates. */
export class TaskStats {
  readonly task: string;
  readonly child: boolean;
  readonly series: Series;
  firstSeenMs = Number.POSITIVE_INFINITY;
  lastSeenMs = Number.NEGATIVE_INFINITY;
  readonly profiles: DimensionCounts;
  readonly #timeline: Timeline;
  #models = new ModelCounts();
  #ms: Baseline;
  #usd: Baseline;
  #tokens: Baseline;
  /** Durations of tasks that ended in a time-out. */
  #timedOutMs: Baseline;
  /** Failed calls that did not end their task, by issue. Localisation counts them in addition to failed tasks. */
  #rescued = new Map<Issue, Occurrences>();
  #slowest: Slowest;
  #placed: PlacedBaselines;
  /** Tasks of the newest sessions. */
  #sessions = new Map<string, number>();
  /** Share of the newest tasks that began apart from the one before, and how many count. */
  #apart: Apart = { share: 0, of: 0 };
  #counted = 0;
  #read: Reading | undefined;
  constructor(
    { task, child }: Pick<TaskStats, 'task' | 'child'>,
    timeline: Timeline,
    profiles: DimensionCounts,
    series: Series = new Series(COLUMNS, KEPT_BUCKETS),
  ) {
    this.task = task;
    this.child = child;
    this.#timeline = timeline;
    this.profiles = profiles;
    this.#ms = new Baseline(timeline.windowMs);
    this.#usd = new Baseline(timeline.windowMs);
    this.#tokens = new Baseline(timeline.windowMs);
    this.#timedOutMs = new Baseline(timeline.windowMs);
    this.#slowest = new Slowest(timeline.windowMs);
    this.#placed = new PlacedBaselines(timeline.windowMs);
    this.series = series;
  }

  /** Version counter: increases with every outcome. */
  get counted(): number {
    return this.#counted;
  }

  get models(): Pick<ModelCounts, 'calls'> {
    return this.#models;
  }

  absorb(outcome: Outcome, bucket: number, weight: number): void {
    this.#counted++;
    const { series } = this;
    const row = series.rowOf(bucket);
    const { success, managed, repeatable, attempts, durationMs, issues, atMs } = outcome;
    series.addAt(row, OUTCOMES, weight);
    if (!success) {
      series.addAt(row, FAILURES, weight);
      if (attempts !== undefined && attempts.length > 0) series.addAt(row, ATTEMPTED, weight);
    }
    if (managed) series.addAt(row, MANAGED, weight);
    if (managed === false) series.addAt(row, CAPTURED, weight);
    if (repeatable !== undefined) series.addAt(row, repeatable ? REPEATABLE : UNREPEATABLE, weight);
    if (outcome.session !== undefined) {
      series.addAt(row, IN_SESSIONS, weight);
      if (managed) series.addAt(row, ADVISED, weight);
      this.#countSession(outcome.session);
    }
    if (durationMs !== undefined) {
      this.#slowest.add(durationMs, atMs);
      if (issues.includes('timeout')) this.#timedOutMs.add(durationMs, atMs, weight);
    }
    this.#countGap(outcome);
    this.lastSeenMs = Math.max(this.lastSeenMs, atMs);
    this.firstSeenMs = Math.min(this.firstSeenMs, atMs);
    this.#models.absorb(outcome, bucket, weight);
  }

  #countGap({ atMs, durationMs = 0 }: Outcome): void {
    const isApart = atMs - durationMs - this.lastSeenMs >= APART_MS;
    const { share, of } = this.#apart;
    const now = Math.min(GAPS, of + 1);
    this.#apart = { share: share + (Number(isApart) - share) / now, of: now };
  }

  #countSession(session: string): void {
    this.#sessions.set(session, (this.#sessions.get(session) ?? 0) + 1);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Returns the mean tasks of a session, over the newest sessions. */
  get #perSession(): number | undefined {
    let tasks = 0;
    for (const count of this.#sessions.values()) tasks += count;
    return this.#sessions.size < MIN_SESSIONS ? undefined : tasks / this.#sessions.size;
  }

  /** Counts all calls of a task but the last by place. The last call is counted with the task. */
  absorbCalls(outcome: Outcome, bucket: number, weight: number): void {
    if ((outcome.attempts?.length ?? 0) < 2) return;
    eachAttempt(outcome, (model, failed, issue, isLast) => {
      if (isLast) return;
      const row = this.profiles.absorb(model === undefined ? outcome : { ...outcome, model }, bucket, weight);
      const rescued = failed && issue !== undefined ? this.#rescuedFor(issue) : undefined;
      rescued?.rows.add(row, generationOf(bucket), weight);
      rescued?.series.add(bucket, 0, weight);
    });
  }

  /** Returns the duration of the slowest task in the window; 0 if unknown. */
  slowestMs(nowMs: number): number {
    return this.#slowest.within(nowMs);
  }

  /** Returns the failed calls with this issue that did not end their task. */
  rescued(issue: Issue): Occurrences | undefined {
    return this.#rescued.get(issue);
  }

  /**
   * Adds the figures of a success. Returns its task's baseline from before it: of the same place in a session and the
   * same length of input, if these are known.
   */
  compare(outcome: Outcome, bucket: number, weight: number): UsualFigures {
    const { atMs, durationMs, costUsd, tokens, quality } = outcome;
    if (quality !== undefined) this.series.add(bucket, RATED, weight);
    const { size, turn } = this.#placed.placeOf(outcome);
    const add = (all: Baseline, place: string | undefined, value: number | undefined): Usual | undefined => {
      if (value === undefined) return undefined;
      const usual = all.add(value, atMs, weight);
      return place === undefined ? usual : this.#placed.add(place, value, { atMs, weight });
    };
    const ms = add(this.#ms, size, durationMs);
    if (ms) this.series.add(bucket, TIMED, weight);
    const usd = add(this.#usd, turn && `usd ${turn}`, costUsd === undefined ? undefined : costUsd * USD_SCALE);
    // Known prices already include the tokens.
    const weighed = tokens && costUsd === undefined ? weighTokens(tokens) : undefined;
    const counted = add(this.#tokens, turn && `tokens ${turn}`, weighed);
    if (usd || counted) this.series.add(bucket, PRICED, weight);
    return { ms, tokens: counted, usd: usd && { p50: usd.p50 / USD_SCALE, p90: usd.p90 / USD_SCALE } };
  }

  /**
   * Returns how many outcomes could have shown a pattern of this kind. `compared`: found by comparison with the task's
   * past, not named by a caller.
   */
  couldShow(kind: PatternKind, compared: boolean, first: number, last: number): number {
    const { series, column } = this.chances(kind, compared);
    return series.sum(column, first, last);
  }

  /** Returns the column that `couldShow` sums. */
  chances(kind: PatternKind, compared: boolean): Column {
    return { series: this.series, column: compared ? COMPARED[kind] : OUTCOMES };
  }

  outcomes(first: number, last: number): number {
    return this.series.sum(OUTCOMES, first, last);
  }

  /** Returns the time of the newest outcome before `nowMs`; to the end of its bucket if newer ones were counted. */
  newestBefore(nowMs: number): number {
    if (this.lastSeenMs <= nowMs) return this.lastSeenMs;
    const last = this.#timeline.bucketOf(nowMs);
    const bucket = this.series.buckets.findLast((one) => one <= last);
    if (bucket === undefined) return Number.NEGATIVE_INFINITY;
    return Math.min(nowMs, (bucket + 1) * this.#timeline.bucketMs - 1);
  }

  /** Returns the figures of the window that ends at `endMs`. `observedMs`: time up to which it was watched. */
  statistics(endMs: number, observedMs = endMs): TaskStatistics {
    const { counts, figures } = this.#readAt(endMs);
    // Starts at the first outcome, because whole buckets would make a task that is minutes old look hours slower.
    const spanMs = Math.min(this.#timeline.windowMs, observedMs - this.firstSeenMs);
    const days = Math.max(MIN_SPAN_MS, spanMs) / DAY_MS;
    return { task: this.task, ...counts, perDay: counts.outcomes / days, observedDays: days, ...figures };
  }

  /** Returns everything that stays the same until a new count or until the window moves by a bucket. */
  #readAt(nowMs: number): Reading {
    const { first, last } = this.#timeline.window(nowMs);
    const slice = this.#ms.sliceOf(nowMs);
    const known = this.#read;
    if (known?.counted === this.#counted && known.last === last && known.slice === slice) return known;
    const successMs = this.#successMs(nowMs);
    const timedOut = this.#timedOutMs.window(nowMs);
    const perSession = this.#perSession;
    this.#read = {
      counted: this.#counted,
      last,
      slice,
      counts: {
        outcomes: this.outcomes(first, last),
        failures: this.series.sum(FAILURES, first, last),
        attempted: this.series.sum(ATTEMPTED, first, last),
        managed: this.series.sum(MANAGED, first, last),
        captured: this.series.sum(CAPTURED, first, last),
        repeatable: this.series.sum(REPEATABLE, first, last),
        unrepeatable: this.series.sum(UNREPEATABLE, first, last),
        inSessions: this.series.sum(IN_SESSIONS, first, last),
        advised: this.series.sum(ADVISED, first, last),
      },
      figures: {
        ...(successMs && { successMs }),
        ...(perSession !== undefined && { perSession }),
        ...(this.#apart.of >= MIN_GAPS && { apart: this.#apart.share }),
        ...(timedOut.total > 0 && { timedOutMs: timedOut.quantiles([0.5])[0] ?? 0 }),
        models: this.#models.within({ first, last, timeline: this.#timeline }),
        ...this.#usual(),
      },
    };
    return this.#read;
  }

  #usual(): Pick<TaskStatistics, 'usual'> {
    const ms = this.#ms.usual;
    const usd = this.#usd.usual;
    if (!ms && !usd) return {};
    return { usual: { ...(ms && { p90Ms: ms.p90 }), ...(usd && { p90Usd: usd.p90 / USD_SCALE }) } };
  }

  snapshot(): Json {
    return {
      task: this.task,
      child: this.child,
      series: this.series.snapshot(),
      lastSeenMs: this.lastSeenMs,
      firstSeenMs: Number.isFinite(this.firstSeenMs) ? this.firstSeenMs : null,
      profiles: this.profiles.snapshot(),
      models: this.#models.snapshot(),
      ms: this.#ms.snapshot(),
      usd: this.#usd.snapshot(),
      tokens: this.#tokens.snapshot(),
      timedOutMs: this.#timedOutMs.snapshot(),
      slowest: this.#slowest.snapshot(),
      placed: this.#placed.snapshot(),
      sessions: [...this.#sessions],
      apart: this.#apart,
      rescued: [...this.#rescued].map(([issue, { rows, series }]) => [issue, rows.snapshot(), series.snapshot()]),
    };
  }

  static restore(kept: TaskStatsSnapshot, timeline: Timeline, spare: SpareRows): TaskStats {
    const profiles = DimensionCounts.restore(kept.profiles, spare);
    const cell = new TaskStats(kept, timeline, profiles, Series.restore(kept.series, COLUMNS, KEPT_BUCKETS));
    cell.lastSeenMs = kept.lastSeenMs;
    cell.firstSeenMs = kept.firstSeenMs ?? Number.POSITIVE_INFINITY;
    cell.#models = ModelCounts.restore(kept.models);
    cell.#ms = Baseline.restore(kept.ms, timeline.windowMs);
    cell.#usd = Baseline.restore(kept.usd, timeline.windowMs);
    cell.#tokens = Baseline.restore(kept.tokens, timeline.windowMs);
    cell.#timedOutMs = Baseline.restore(kept.timedOutMs, timeline.windowMs);
    cell.#slowest = new Slowest(timeline.windowMs, kept.slowest);
    cell.#sessions = new Map(kept.sessions);
    cell.#apart = kept.apart ?? cell.#apart;
    cell.#placed = PlacedBaselines.restore(kept.placed, timeline.windowMs);
    const byNumber = profiles.byNumber();
    const rowOf = (number: number): Row | undefined => byNumber.get(number);
    cell.#rescued = new Map(
      kept.rescued.map(([issue, rows, series]) => [
        issue,
        { rows: RowCounts.restore(rows, rowOf), series: Series.restore(series, 1, KEPT_BUCKETS) },
      ]),
    );
    return cell;
  }

  #rescuedFor(issue: Issue): Occurrences | undefined {
    let found = this.#rescued.get(issue);
    if (!found && this.#rescued.size < MAX_CALL_ISSUES) {
      found = { rows: new RowCounts(), series: new Series(1, KEPT_BUCKETS) };
      this.#rescued.set(issue, found);
    }
    return found;
  }

  #successMs(nowMs: number): TaskStatistics['successMs'] {
    const all = this.#ms.window(nowMs);
    if (all.total < MIN_DURATIONS) return undefined;
    const [p50 = 0, p90 = 0, p99 = 0, slowest = 0] = all.quantiles([0.5, 0.9, 0.99, 1]);
    return { p50, p90, p99, max: slowest * BIN_EDGE, count: Math.round(all.total) };
  }
}

type Apart = { readonly share: number; readonly of: number };

/** Cached reading of a cell, with the conditions under which it is valid. */
interface Reading {
  readonly counted: number;
  readonly last: number;
  readonly slice: number;
  readonly counts: Pick<
    TaskStatistics,
    | 'outcomes'
    | 'failures'
    | 'attempted'
    | 'managed'
    | 'captured'
    | 'repeatable'
    | 'unrepeatable'
    | 'inSessions'
    | 'advised'
  >;
  readonly figures: Pick<TaskStatistics, 'successMs' | 'perSession' | 'apart' | 'timedOutMs' | 'models' | 'usual'>;
}

export interface TaskStatsSnapshot {
  readonly task: string;
  readonly child: boolean;
  readonly series: Json;
  readonly lastSeenMs: number;
  readonly firstSeenMs: number | null;
  readonly profiles: DimensionCountsSnapshot;
  readonly models: ModelCountsSnapshot;
  readonly ms: BaselineSnapshot;
  readonly usd: BaselineSnapshot;
  readonly tokens: BaselineSnapshot;
  readonly timedOutMs: BaselineSnapshot;
  readonly slowest: SlowestSnapshot;
  readonly placed: PlacedBaselinesSnapshot;
  readonly sessions?: readonly (readonly [session: string, tasks: number])[];
  readonly apart?: Apart;
  readonly rescued: readonly (readonly [issue: string, rows: RowCountsSnapshot, series: Json])[];
}
