import type { Json } from '../contract/json.js';
import { KEPT_GENERATIONS, type Row } from './profile-row.js';
import { Series } from './series.js';

/** Minimum number of rows held before merged rows are combined. */
const MIN_JOINED = 64;

/** Occurrences of a pattern per row of its task's table. Holds at most twice as many rows as the table, or 64. */
export class RowCounts {
  #rows = new Map<Row, Series>();
  #joinAt = MIN_JOINED;

  add(row: Row, generation: number, weight: number): void {
    let series = this.#rows.get(row);
    if (!series) {
      if (this.#rows.size >= this.#joinAt) this.#join();
      series = new Series(1, KEPT_GENERATIONS);
      this.#rows.set(row, series);
    }
    series.add(generation, 0, weight);
  }

  addAll(other: RowCounts): void {
    for (const [row, series] of other.#rows) {
      series.buckets.forEach((generation, at) => {
        this.add(row, generation, series.at(at, 0));
      });
    }
  }

  /** Returns the occurrences in the generations from `first` to `last`, per row still in its table. */
  sums(first: number, last: number): ReadonlyMap<Row, number> {
    const sums = new Map<Row, number>();
    for (const [row, series] of this.#rows) {
      const { current } = row;
      if (current) sums.set(current, (sums.get(current) ?? 0) + series.sum(0, first, last));
    }
    return sums;
  }

  snapshot(): Json {
    return [...this.#current()].map(([row, series]) => [row.number, series.snapshot()]);
  }

  /**
   * Restores the counts.
   * @param rowOf Returns the row with this number in the task's table.
   */
  static restore(kept: RowCountsSnapshot, rowOf: (number: number) => Row | undefined): RowCounts {
    const counts = new RowCounts();
    for (const [number, series] of kept) {
      const row = rowOf(number);
      if (row) counts.#rows.set(row, Series.restore(series, 1, KEPT_GENERATIONS));
    }
    return counts;
  }

  #join(): void {
    this.#rows = this.#current();
    this.#joinAt = Math.max(MIN_JOINED, 2 * this.#rows.size);
  }

  #current(): Map<Row, Series> {
    const joined = new Map<Row, Series>();
    for (const [row, series] of this.#rows) {
      const { current } = row;
      if (!current) continue;
      const sums = joined.get(current) ?? new Series(1, KEPT_GENERATIONS);
      sums.addAll(series);
      joined.set(current, sums);
    }
    return joined;
  }
}

export type RowCountsSnapshot = readonly (readonly [number, Json])[];
