import { Series } from './series.js';
import { BUCKETS_PER_WINDOW } from './timeline.js';

/** Counts of a pattern per row are kept per half window; three of them always hold a whole one. */
export const BUCKETS_PER_GENERATION = BUCKETS_PER_WINDOW / 2;
export const KEPT_GENERATIONS = 3;

export function generationOf(bucket: number): number {
  return Math.floor(bucket / BUCKETS_PER_GENERATION);
}

/** Outcomes of one task that happened in the same place. */
export class Row {
  readonly number: number;
  /** Per dimension the values it has there; empty in all of them for the rest. */
  values: readonly (readonly string[])[];
  #series = new Series(1, KEPT_GENERATIONS * BUCKETS_PER_GENERATION);
  #total = 0;
  #into: Row | undefined;
  #isGone = false;

  constructor(number: number, values: readonly (readonly string[])[]) {
    this.number = number;
    this.values = values;
  }

  /** Outcomes per stretch of time, by the first bucket of each stretch. */
  get series(): Series {
    return this.#series;
  }
  get total(): number {
    return this.#total;
  }
  /** The row that counts what was counted here; `undefined` once that is too old. */
  get current(): Row | undefined {
    let row: Row = this;
    while (row.#into) row = row.#into;
    return row.#isGone ? undefined : row;
  }

  add(stretch: number, weight: number): void {
    this.#series.add(stretch, 0, weight);
    this.#total += weight;
  }

  /** Counts every outcome in the stretch that `place` gives for its former one, and forgets it where that is nothing. */
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

  /** A pattern may hold on to a row that is no longer in its table. */
  #empty(): void {
    this.#series = new Series(1, 0);
    this.values = [];
  }
}
