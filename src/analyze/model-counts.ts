import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { Rate } from '../contract/rate.js';
import type { ModelStatistics } from '../contract/task-statistics.js';
import { eachAttempt, wantedModel } from '../lib/attempts.js';
import { Series } from './series.js';
import { type Buckets, type Column, rateIn } from './series-rate.js';
import { KEPT_BUCKETS } from './timeline.js';
import { WantedModel, type WantedModelSnapshot } from './wanted-model.js';

/** Columns of the series of a model's calls. */
const CALLS = 0;
const FAILED_CALLS = 1;
const COLUMNS = 2;
const MAX_MODELS = 32;

/** Calls of one model in one task. */
export interface ModelCalls {
  readonly calls: Column;
  readonly failures: Column;
}

/** Returns the rate of failed calls, given the calls and failures in each bucket of the window. */
export function rateOfCalls(calls: readonly number[], failures: readonly number[], window: Buckets): Rate {
  const series = newSeries();
  for (const [index, count] of calls.entries()) {
    if (count === 0) continue;
    const row = series.rowOf(window.first + index);
    series.addAt(row, CALLS, count);
    series.addAt(row, FAILED_CALLS, failures[index] ?? 0);
  }
  return rateIn(series, [FAILED_CALLS, CALLS], window);
}

/** Counts of one task per model: the calls that it answered, and the tasks whose caller wanted it. */
export class ModelCounts {
  readonly #calls = new Map<string, Series>();
  readonly #wanted = new Map<string, WantedModel>();
  /** Cached statistics for the window that ends in bucket `#readAt`. `#unread` lists models with new counts. */
  readonly #read = new Map<string, ModelStatistics>();
  #readAt = Number.NaN;
  #unread = new Set<string>();

  /** Counts the calls of a task, and the task itself for the model that its caller wanted. */
  absorb(outcome: Outcome, bucket: number, weight: number): void {
    const { attempts, model, success } = outcome;
    if (attempts === undefined || attempts.length === 0) this.#absorbCall(model, !success, bucket, weight);
    else eachAttempt(outcome, (called, failed) => this.#absorbCall(called, failed, bucket, weight));
    const wanted = wantedModel(outcome);
    if (wanted !== undefined) this.#countsOf(this.#wanted, wanted, newWanted)?.absorb(outcome, bucket, weight);
  }

  #absorbCall(model: string | undefined, failed: boolean, bucket: number, weight: number): void {
    const series = model === undefined ? undefined : this.#countsOf(this.#calls, model, newSeries);
    if (!series) return;
    const row = series.rowOf(bucket);
    series.addAt(row, CALLS, weight);
    if (failed) series.addAt(row, FAILED_CALLS, weight);
  }

  #countsOf<Counts>(counts: Map<string, Counts>, model: string, create: () => Counts): Counts | undefined {
    let found = counts.get(model);
    if (!found && counts.size < MAX_MODELS) {
      found = create();
      counts.set(model, found);
    }
    if (found) this.#unread.add(model);
    return found;
  }

  /** Returns the statistics per model in the window, sorted by name. Reuses cached ones without new counts. */
  within(window: Buckets): readonly ModelStatistics[] {
    if (this.#readAt !== window.last) {
      this.#unread = new Set([...this.#calls.keys(), ...this.#wanted.keys()]);
      this.#readAt = window.last;
    }
    for (const model of this.#unread) this.#read.set(model, this.#readModel(model, window));
    this.#unread.clear();
    return [...this.#read.values()]
      .filter(({ rate, wanted }) => rate.of > 0 || wanted.of > 0)
      .sort((a, b) => (a.model < b.model ? -1 : 1));
  }

  #readModel(model: string, window: Buckets): ModelStatistics {
    return {
      model,
      rate: rateIn(this.#calls.get(model) ?? new Series(COLUMNS, 1), [FAILED_CALLS, CALLS], window),
      ...(this.#wanted.get(model) ?? new WantedModel()).within(window),
    };
  }

  /** Returns the calls of each model. */
  *calls(): Iterable<readonly [model: string, calls: ModelCalls]> {
    for (const [model, series] of this.#calls) {
      yield [model, { calls: { series, column: CALLS }, failures: { series, column: FAILED_CALLS } }];
    }
  }

  snapshot(): Json {
    return {
      calls: [...this.#calls].map(([model, series]) => [model, series.snapshot()]),
      wanted: [...this.#wanted].map(([model, wanted]) => [model, wanted.snapshot()]),
    };
  }

  static restore({ calls, wanted }: ModelCountsSnapshot): ModelCounts {
    const restored = new ModelCounts();
    for (const [model, kept] of calls) restored.#calls.set(model, Series.restore(kept, COLUMNS, KEPT_BUCKETS));
    for (const [model, kept] of wanted) restored.#wanted.set(model, WantedModel.restore(kept));
    return restored;
  }
}

function newSeries(): Series {
  return new Series(COLUMNS, KEPT_BUCKETS);
}

function newWanted(): WantedModel {
  return new WantedModel();
}

export interface ModelCountsSnapshot {
  readonly calls: readonly (readonly [string, Json])[];
  readonly wanted: readonly (readonly [string, WantedModelSnapshot])[];
}
