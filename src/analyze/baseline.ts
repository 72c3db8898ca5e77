import type { Json } from '../contract/json.js';
import { BIN_EDGE, QuantileSketch } from '../lib/quantile-sketch.js';

/** Slices per window. Slices allow old values to expire, and separate the past from the present. */
const SLICES_PER_WINDOW = 7;
const KEPT_SLICES = 2 * SLICES_PER_WINDOW + 1;
/** Minimum past values for a comparison. */
const MIN_PAST = 50;

/** Baseline figures from a task's own past. */
export interface Usual {
  readonly p50: number;
  readonly p90: number;
}

/** Durations or costs of one task over two windows, with the baseline from before the present window. */
export class Baseline {
  readonly #sliceMs: number;
  #slices = new Map<number, QuantileSketch>();
  #newest = Number.NEGATIVE_INFINITY;
  #usual: Usual | undefined;
  /** Slice of the last addition, which is nearly always the slice of the next value. */
  #last: { readonly slice: number; readonly sketch: QuantileSketch } | undefined;

  constructor(windowMs: number) {
    this.#sliceMs = windowMs / SLICES_PER_WINDOW;
  }

  /** Adds a value. Returns the baseline from before it, or `undefined` if the past has too few values. */
  add(value: number, atMs: number, weight: number): Usual | undefined {
    const slice = this.sliceOf(atMs);
    if (slice > this.#newest) {
      this.#newest = slice;
      this.#usual = this.#usualBefore(slice);
    }
    this.#sketchOf(slice).add(value, weight);
    return this.#usual;
  }

  #sketchOf(slice: number): QuantileSketch {
    if (this.#last?.slice === slice) return this.#last.sketch;
    let sketch = this.#slices.get(slice);
    if (!sketch) {
      sketch = new QuantileSketch();
      this.#slices.set(slice, sketch);
      if (this.#slices.size > KEPT_SLICES) this.#slices.delete(Math.min(...this.#slices.keys()));
    }
    this.#last = { slice, sketch };
    return sketch;
  }

  /** Current baseline; `undefined` if the past has too few values. */
  get usual(): Usual | undefined {
    return this.#usual;
  }

  /** Returns the slice of a time. The result of `window` changes only with the values and this slice. */
  sliceOf(atMs: number): number {
    return Math.floor(atMs / this.#sliceMs);
  }

  /** Returns all values in the window before `nowMs`. */
  window(nowMs: number): QuantileSketch {
    const last = this.sliceOf(nowMs);
    const all = new QuantileSketch();
    for (const [slice, sketch] of this.#slices) {
      if (slice <= last && slice >= last - SLICES_PER_WINDOW) all.addAll(sketch);
    }
    return all;
  }

  snapshot(): Json {
    return {
      slices: [...this.#slices].map(([slice, sketch]) => [slice, sketch.snapshot()]),
      newest: Number.isFinite(this.#newest) ? this.#newest : null,
      usual: this.#usual ? [this.#usual.p50, this.#usual.p90] : null,
    };
  }

  static restore(kept: BaselineSnapshot, windowMs: number): Baseline {
    const baseline = new Baseline(windowMs);
    baseline.#slices = new Map(kept.slices.map(([slice, sketch]) => [slice, QuantileSketch.restore(sketch)]));
    baseline.#newest = kept.newest ?? Number.NEGATIVE_INFINITY;
    if (kept.usual) baseline.#usual = { p50: kept.usual[0], p90: kept.usual[1] };
    return baseline;
  }

  /**
   * Returns the baseline from before the present window, so that new behaviour does not shift its own baseline. A
   * younger task is compared with its first slices: the fewest that hold enough values.
   */
  #usualBefore(slice: number): Usual | undefined {
    const past = new QuantileSketch();
    for (const [at, sketch] of [...this.#slices].sort((a, b) => a[0] - b[0])) {
      if (at >= slice || (at > slice - SLICES_PER_WINDOW && past.total >= MIN_PAST)) break;
      past.addAll(sketch);
    }
    if (past.total < MIN_PAST) return undefined;
    const [p50 = 0, p90 = 0] = past.quantiles([0.5, 0.9]);
    // At the edge of its bin: otherwise values that never change would exceed their own past.
    return { p50, p90: p90 * BIN_EDGE };
  }
}

export interface BaselineSnapshot {
  readonly slices: readonly (readonly [number, Json])[];
  readonly newest: number | null;
  readonly usual: readonly [number, number] | null;
}
