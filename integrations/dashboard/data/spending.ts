import type { Outcome } from 'rsi-loop';
import type { ModelTimeline } from 'rsi-loop/kit';
import type { ModelRow } from '../views.js';

/** Newest calls of each model and task whose durations are kept. */
const KEPT = 500;
/** Limit on models times tasks. */
const MAX_ROWS = 2_000;

/** Quantiles and means of recent calls. */
export type Spent = Pick<ModelRow, 'p50Ms' | 'p90Ms' | 'tokens' | 'costUsd'>;

/** Durations, tokens and cost of the newest calls, for each model and task. */
export class Spending {
  readonly #rows = new Map<string, Row>();

  /** Counts one outcome: durations of each attempt, tokens and cost of the model that answered. */
  add(outcome: Outcome): void {
    const { model, task, attempts, durationMs, tokens, costUsd } = outcome;
    for (const attempt of attempts ?? [{ durationMs }]) {
      this.#addTo('model' in attempt ? attempt.model : model, task, 'ms', attempt.durationMs);
    }
    this.#addTo(model, task, 'tokens', tokens && tokens.input + tokens.output);
    this.#addTo(model, task, 'usd', costUsd);
  }

  /** Adds a number to the rows of the task and of all tasks together. Ignores what is not known. */
  #addTo(model: string | undefined, task: string, figure: keyof Row, value: number | undefined): void {
    if (model === undefined || value === undefined) return;
    for (const name of [task, '*']) this.#rowOf(model, name)?.[figure].add(value);
  }

  /** Returns the figures of a model in a task. Figures that no call states are absent. */
  of({ model, task }: Pick<ModelTimeline, 'model' | 'task'>): Spent {
    const { ms, tokens, usd } = this.#rows.get(JSON.stringify([model, task])) ?? newRow();
    const [p50Ms, p90Ms] = ms.quantiles([0.5, 0.9]);
    const [perCall, perCallUsd] = [tokens.mean, usd.mean];
    return {
      ...(p50Ms !== undefined && { p50Ms }),
      ...(p90Ms !== undefined && { p90Ms }),
      ...(perCall !== undefined && { tokens: perCall }),
      ...(perCallUsd !== undefined && { costUsd: perCallUsd }),
    };
  }

  #rowOf(model: string, task: string): Row | undefined {
    const key = JSON.stringify([model, task]);
    let row = this.#rows.get(key);
    if (!row && this.#rows.size < MAX_ROWS) {
      row = newRow();
      this.#rows.set(key, row);
    }
    return row;
  }
}

interface Row {
  readonly ms: Newest;
  readonly tokens: Newest;
  readonly usd: Newest;
}

function newRow(): Row {
  return { ms: new Newest(), tokens: new Newest(), usd: new Newest() };
}

/** Newest numbers of a sequence. */
class Newest {
  readonly #values: number[] = [];
  #next = 0;

  add(value: number): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % KEPT;
  }

  get mean(): number | undefined {
    if (this.#values.length === 0) return undefined;
    return this.#values.reduce((sum, value) => sum + value, 0) / this.#values.length;
  }

  quantiles(shares: readonly number[]): readonly (number | undefined)[] {
    // A typed array sorts numbers many times faster.
    const sorted = Float64Array.from(this.#values).sort();
    return shares.map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]);
  }
}
