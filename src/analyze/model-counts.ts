import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { Rate } from '../contract/rate.js';
import type { ModelStatistics } from '../contract/task-statistics.js';
import { askedModel, eachAttempt, hasFailedFirst, wantedModel } from '../lib/attempts.js';
import { Series } from './series.js';
import { type Buckets, type Column, rateIn } from './series-rate.js';
import { WINDOW_BUCKETS } from './timeline.js';
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
  /**
   * Models whose wanted tasks differ from their calls. For the others, the calls say both: most tasks call the model that
   * they want, once, and a wide agent has many tasks, models and hours.
   */
  readonly #wanted = new Map<string, WantedModel>();
  /** Cached statistics for the window that ends in bucket `#readAt`. `#unread` lists models with new counts. */
  readonly #read = new Map<string, ModelStatistics>();
  #readAt = Number.NaN;
  #unread = new Set<string>();

  /** Counts the calls of a task, and the task itself for the model that its caller wanted. */
  absorb(outcome: Outcome, bucket: number, weight: number): void {
    const { attempts, model, success } = outcome;
    const wanted = wantedModel(outcome);
    if (!isPlain(outcome)) {
      eachAttempt(outcome, (called) => this.#separate(called, this.#calls.size < MAX_MODELS));
      this.#separate(wanted, this.#wanted.size < MAX_MODELS);
    }
    if (attempts === undefined || attempts.length === 0) this.#absorbCall(model, !success, bucket, weight);
    else eachAttempt(outcome, (called, failed) => this.#absorbCall(called, failed, bucket, weight));
    const apart = wanted === undefined ? undefined : this.#wanted.get(wanted);
    if (wanted === undefined || apart === undefined) return;
    this.#unread.add(wanted);
    apart.absorb(outcome, bucket, weight);
  }

  /** Counts the wanted tasks of a model apart from its calls from now on; a new model only if there is room. */
  #separate(model: string | undefined, hasRoom: boolean): void {
    if (model === undefined || this.#wanted.has(model)) return;
    const calls = this.#calls.get(model);
    if (!calls && !hasRoom) return;
    this.#wanted.set(model, calls ? WantedModel.ofCalls(model, calls).copy() : new WantedModel());
  }

  #absorbCall(model: string | undefined, failed: boolean, bucket: number, weight: number): void {
    const series = model === undefined ? undefined : this.#seriesOf(model);
    if (!series) return;
    const row = series.rowOf(bucket);
    series.addAt(row, CALLS, weight);
    if (failed) series.addAt(row, FAILED_CALLS, weight);
  }

  #seriesOf(model: string): Series | undefined {
    let found = this.#calls.get(model);
    if (!found && this.#calls.size < MAX_MODELS) {
      found = newSeries();
      this.#calls.set(model, found);
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
    const calls = this.#calls.get(model) ?? new Series(COLUMNS, 1);
    return {
      model,
      rate: rateIn(calls, [FAILED_CALLS, CALLS], window),
      ...(this.#wanted.get(model) ?? WantedModel.ofCalls(model, calls)).within(window),
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
    for (const [model, kept] of calls) restored.#calls.set(model, Series.restore(kept, COLUMNS, WINDOW_BUCKETS));
    for (const [model, kept] of wanted) restored.#wanted.set(model, WantedModel.restore(kept));
    return restored;
  }
}

function newSeries(): Series {
  return new Series(COLUMNS, WINDOW_BUCKETS);
}

/** Returns whether a task called one model once, and wanted that one alone. */
function isPlain(outcome: Outcome): boolean {
  const { model, models = [], success, attempts = [] } = outcome;
  const isAsked = wantedModel(outcome) === model && askedModel(outcome) === model;
  return attempts.length === 0 && isAsked && models.length <= 1 && hasFailedFirst(outcome) === !success;
}

export interface ModelCountsSnapshot {
  readonly calls: readonly (readonly [string, Json])[];
  readonly wanted: readonly (readonly [string, WantedModelSnapshot])[];
}
