import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { ModelStatistics } from '../contract/task-statistics.js';
import { askedModel, hasFailedFirst } from '../lib/attempts.js';
import { Series } from './series.js';
import { type Buckets, rateIn } from './series-rate.js';
import { WINDOW_BUCKETS } from './timeline.js';

const TASKS = 0;
const FAILED = 1;
const COLUMNS = 2;
/** Minimum number of tasks in the newest rate, if available. */
const LATELY = 50;
/** Same limit as for `model.order`. */
const MAX_BESIDE = 16;

/** Results of the tasks whose caller wanted one model, and which other models those callers listed. */
export class WantedModel {
  #series = new Series(COLUMNS, WINDOW_BUCKETS);
  /** Newest bucket in which each model was listed. */
  #beside = new Map<string, number>();
  /** First calls of these tasks, by the model that was asked first. */
  #asked = new Map<string, Series>();

  /** Returns the results of tasks that called nothing but the model they wanted, given its calls. Shares the series. */
  static ofCalls(model: string, calls: Series): WantedModel {
    const wanted = new WantedModel();
    wanted.#series = calls;
    wanted.#asked.set(model, calls);
    return wanted;
  }

  absorb(outcome: Outcome, bucket: number, weight: number): void {
    const { success, models = NO_MODELS } = outcome;
    this.#absorbFirst(outcome, bucket, weight);
    this.#series.add(bucket, TASKS, weight);
    if (!success) this.#series.add(bucket, FAILED, weight);
    for (let index = 1; index < models.length; index++) {
      const model = models[index];
      if (model === undefined || (this.#beside.get(model) ?? Number.NEGATIVE_INFINITY) >= bucket) continue;
      if (!this.#beside.has(model) && this.#beside.size >= MAX_BESIDE) this.#forgetOldest();
      this.#beside.set(model, bucket);
    }
  }

  #absorbFirst(outcome: Outcome, bucket: number, weight: number): void {
    const [model, failed] = [askedModel(outcome), hasFailedFirst(outcome)];
    if (model === undefined || failed === undefined) return;
    let series = this.#asked.get(model);
    if (!series) {
      if (this.#asked.size >= MAX_BESIDE) return;
      series = new Series(COLUMNS, WINDOW_BUCKETS);
      this.#asked.set(model, series);
    }
    series.add(bucket, TASKS, weight);
    if (failed) series.add(bucket, FAILED, weight);
  }

  copy(): WantedModel {
    return WantedModel.restore(this.snapshot());
  }

  within(window: Buckets): Pick<ModelStatistics, 'wanted' | 'wantedLately' | 'listedBeside' | 'asked'> {
    return {
      wanted: rateIn(this.#series, [FAILED, TASKS], window),
      wantedLately: this.#lately(window),
      listedBeside: [...this.#beside].flatMap(([model, bucket]) => (bucket >= window.first ? [model] : [])),
      asked: this.#askedWithin(window),
    };
  }

  snapshot(): WantedModelSnapshot {
    const asked = [...this.#asked].map(([model, series]) => [model, series.snapshot()] as const);
    return { series: this.#series.snapshot(), beside: [...this.#beside], asked };
  }

  static restore({ series, beside, asked }: WantedModelSnapshot): WantedModel {
    const restored = new WantedModel();
    restored.#series = Series.restore(series, COLUMNS, WINDOW_BUCKETS);
    restored.#beside = new Map(beside);
    restored.#asked = new Map(
      asked.map(([model, kept]) => [model, Series.restore(kept, COLUMNS, WINDOW_BUCKETS)] as const),
    );
    return restored;
  }

  #askedWithin({ first, last }: Buckets): NonNullable<ModelStatistics['asked']> {
    return [...this.#asked].flatMap(([model, series]) => {
      const of = series.sum(TASKS, first, last);
      return of > 0 ? [{ model, value: series.sum(FAILED, first, last) / of, of }] : [];
    });
  }

  #lately({ first, last }: Buckets): ModelStatistics['wantedLately'] {
    let [tasks, failed] = [0, 0];
    const { buckets } = this.#series;
    for (let row = buckets.length - 1; row >= 0 && tasks < LATELY; row--) {
      const bucket = buckets[row] ?? 0;
      if (bucket < first) break;
      if (bucket > last) continue;
      tasks += this.#series.at(row, TASKS);
      failed += this.#series.at(row, FAILED);
    }
    return { value: tasks > 0 ? failed / tasks : 0, of: tasks };
  }

  #forgetOldest(): void {
    const [oldest] = [...this.#beside].sort((one, other) => one[1] - other[1]);
    if (oldest) this.#beside.delete(oldest[0]);
  }
}

const NO_MODELS: readonly string[] = [];

export type WantedModelSnapshot = {
  readonly series: Json;
  readonly beside: readonly (readonly [string, number])[];
  readonly asked: readonly (readonly [string, Json])[];
};
