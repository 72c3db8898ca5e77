import { QuantileSketch } from '../lib/quantile-sketch.js';
import { wilsonRate } from '../lib/statistics.js';
import type { Json, Outcome, Rate, TaskStatistics } from '../records.js';
import { ProfileTable, type ProfileTableSnapshot } from './profiles.js';
import { Series } from './series.js';
import { KEPT_BUCKETS, type Timeline } from './timeline.js';

/** Columns of a cell's series. The first is the denominator of every rate. */
const OUTCOMES = 0;
const FAILURES = 1;
const MANAGED = 2;
const COLUMNS = 3;
const MAX_MODELS = 32;
/** Below this, quantiles of durations say nothing. */
const MIN_DURATIONS = 20;
/** Durations are kept per seventh of the window, so that old ones leave. */
const SLICES_PER_WINDOW = 7;
const KEPT_SLICES = 2 * SLICES_PER_WINDOW + 1;
const DAY_MS = 86_400_000;

/** What is counted of one task: the denominator its patterns are rated against. */
export class Cell {
  readonly task: string;
  readonly child: boolean;
  readonly series: Series;
  lastSeenMs = Number.NEGATIVE_INFINITY;
  profiles: ProfileTable;
  readonly #timeline: Timeline;
  #models = new Map<string, Series>();
  #durations = new Map<number, QuantileSketch>();

  constructor(task: string, child: boolean, timeline: Timeline, series: Series = new Series(COLUMNS, KEPT_BUCKETS)) {
    this.task = task;
    this.child = child;
    this.#timeline = timeline;
    this.profiles = new ProfileTable(timeline.windowMs);
    this.series = series;
  }

  absorb(outcome: Outcome, bucket: number, weight: number): void {
    this.series.add(bucket, OUTCOMES, weight);
    if (!outcome.success) this.series.add(bucket, FAILURES, weight);
    if (outcome.managed) this.series.add(bucket, MANAGED, weight);
    if (outcome.atMs > this.lastSeenMs) this.lastSeenMs = outcome.atMs;
    const model = this.#modelSeries(outcome.model);
    model?.add(bucket, OUTCOMES, weight);
    if (!outcome.success) model?.add(bucket, FAILURES, weight);
    if (outcome.success && outcome.durationMs !== undefined) this.#slice(outcome.atMs).add(outcome.durationMs, weight);
  }

  outcomes(first: number, last: number): number {
    return this.series.sum(OUTCOMES, first, last);
  }

  statistics(nowMs: number): TaskStatistics {
    const { first, last } = this.#timeline.window(nowMs);
    const outcomes = this.outcomes(first, last);
    const covered = Math.max(first, this.series.buckets[0] ?? last);
    const days = ((last - covered + 1) * this.#timeline.bucketMs) / DAY_MS;
    const successMs = this.#successMs(nowMs);
    return {
      task: this.task,
      outcomes,
      failures: this.series.sum(FAILURES, first, last),
      managed: this.series.sum(MANAGED, first, last),
      perDay: outcomes / days,
      ...(successMs && { successMs }),
      models: this.models(nowMs),
    };
  }

  /** Failure rate per model in the window, by name. */
  models(nowMs: number): readonly { readonly model: string; readonly rate: Rate }[] {
    const { first, last } = this.#timeline.window(nowMs);
    return [...this.#models]
      .map(([model, series]) => ({
        model,
        rate: wilsonRate(series.sum(FAILURES, first, last), series.sum(OUTCOMES, first, last)),
      }))
      .filter(({ rate }) => rate.of > 0)
      .sort((a, b) => (a.model < b.model ? -1 : 1));
  }

  snapshot(): Json {
    return {
      task: this.task,
      child: this.child,
      series: this.series.snapshot(),
      lastSeenMs: this.lastSeenMs,
      profiles: this.profiles.snapshot(),
      models: [...this.#models].map(([model, series]) => [model, series.snapshot()]),
      durations: [...this.#durations].map(([slice, sketch]) => [slice, sketch.snapshot()]),
    };
  }

  static restore(kept: CellSnapshot, timeline: Timeline): Cell {
    const cell = new Cell(kept.task, kept.child, timeline, Series.restore(kept.series, COLUMNS, KEPT_BUCKETS));
    cell.lastSeenMs = kept.lastSeenMs;
    cell.profiles = ProfileTable.restore(kept.profiles, timeline.windowMs);
    cell.#models = new Map(kept.models.map(([model, series]) => [model, Series.restore(series, 2, KEPT_BUCKETS)]));
    cell.#durations = new Map(kept.durations.map(([slice, sketch]) => [slice, QuantileSketch.restore(sketch)]));
    return cell;
  }

  #modelSeries(model: string | undefined): Series | undefined {
    if (model === undefined) return undefined;
    let series = this.#models.get(model);
    if (!series && this.#models.size < MAX_MODELS) {
      series = new Series(2, KEPT_BUCKETS);
      this.#models.set(model, series);
    }
    return series;
  }

  #slice(atMs: number): QuantileSketch {
    const slice = this.#sliceOf(atMs);
    let sketch = this.#durations.get(slice);
    if (!sketch) {
      sketch = new QuantileSketch();
      this.#durations.set(slice, sketch);
      if (this.#durations.size > KEPT_SLICES) this.#durations.delete(Math.min(...this.#durations.keys()));
    }
    return sketch;
  }

  #sliceOf(atMs: number): number {
    return Math.floor((atMs * SLICES_PER_WINDOW) / this.#timeline.windowMs);
  }

  #successMs(nowMs: number): TaskStatistics['successMs'] {
    const last = this.#sliceOf(nowMs);
    const all = new QuantileSketch();
    for (const [slice, sketch] of this.#durations) {
      if (slice <= last && slice >= last - SLICES_PER_WINDOW) all.addAll(sketch);
    }
    if (all.total < MIN_DURATIONS) return undefined;
    const [p50 = 0, p90 = 0, p99 = 0] = all.quantiles([0.5, 0.9, 0.99]);
    return { p50, p90, p99 };
  }
}

export interface CellSnapshot {
  readonly task: string;
  readonly child: boolean;
  readonly series: Json;
  readonly lastSeenMs: number;
  readonly profiles: ProfileTableSnapshot;
  readonly models: readonly (readonly [string, Json])[];
  readonly durations: readonly (readonly [number, Json])[];
}
