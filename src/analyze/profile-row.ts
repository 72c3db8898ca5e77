import { Series } from './series.js';
import { BUCKETS_PER_WINDOW } from './timeline.js';

/** A pattern's counts per row are kept per half window. Three halves always contain a whole window. */
export const BUCKETS_PER_GENERATION = BUCKETS_PER_WINDOW / 2;
export const KEPT_GENERATIONS = 3;

export function generationOf(bucket: number): number {
  return Math.floor(bucket / BUCKETS_PER_GENERATION);
}

/** Outcomes of one task that share all their dimension values. */
export class Row {
  readonly number: number;
  /** Values per dimension; empty for the aggregated row. */
  values: readonly (readonly string[])[];
  #series = new Series(1, KEPT_GENERATIONS * BUCKETS_PER_GENERATION);
  #total = 0;
  #into: Row | undefined;
  #isGone = false;

  constructor(number: number, values: readonly (readonly string[])[]) {
    this.number = number;
    this.values = values;
  }

  /** Outcomes per stretch of time, keyed by the first bucket of each stretch. */
  get series(): Series {
    return this.#series;
  }
  get total(): number {
    return this.#total;
  }
  /** Row that now holds these counts after merging; `undefined` if it was dropped. */
  get current(): Row | undefined {
    let row: Row = this;
    while (row.#into) row = row.#into;
    return row.#isGone ? undefined : row;
  }

  add(stretch: number, weight: number): void {
    this.#series.add(stretch, 0, weight);
    this.#total += weight;
  }

  /**
   * Moves each count to the stretch that `place` returns for its current one. Drops it if `place` returns undefined.
   */
  regroup(place: (stretch: number) => number | undefined): void {
    const former = this.#series;
    this.#series = new Series(1, KEPT_GENERATIONS * BUCKETS_PER_GENERATION);
    this.#total = 0;
    former.buckets.forEach((bucket, at) => {
      const stretch = place(bucket);
      if (stretch !== undefined) this.add(stretch, former.at(at, 0));
    });
  }

  mergeInto(row: Row): void {
    this.#series.buckets.forEach((bucket, at) => {
      row.add(bucket, this.#series.at(at, 0));
    });
    this.#into = row;
    this.#empty();
  }

  leave(): void {
    this.#isGone = true;
    this.#empty();
  }

  /** Clears the row to save memory, because a pattern may still refer to it. */
  #empty(): void {
    this.#series = new Series(1, 0);
    this.values = [];
  }
}
