import type { Json } from '../contract/json.js';

/**
 * Sums per time bucket, in several parallel columns. Only non-empty buckets take space, and only the newest `capacity`
 * buckets are kept. Late additions go to their own bucket.
 */
export class Series {
  readonly #columns: number;
  readonly #capacity: number;
  #buckets: number[] = [];
  /** Row after row, `#columns` numbers each. */
  #values: number[] = [];

  constructor(columns: number, capacity: number) {
    this.#columns = columns;
    this.#capacity = capacity;
  }

  add(bucket: number, column: number, amount: number): void {
    this.addAt(this.rowOf(bucket), column, amount);
  }

  /** Adds to a row that `rowOf` returned. Ignores row -1. */
  addAt(row: number, column: number, amount: number): void {
    if (row < 0) return;
    const at = row * this.#columns + column;
    this.#values[at] = (this.#values[at] ?? 0) + amount;
  }

  /** Returns the sum of a column over the buckets from `first` to `last`, both included. */
  sum(column: number, first: number, last: number): number {
    let sum = 0;
    for (let row = this.#buckets.length - 1; row >= 0; row--) {
      const bucket = this.#buckets[row] ?? 0;
      if (bucket < first) break;
      if (bucket <= last) sum += this.#values[row * this.#columns + column] ?? 0;
    }
    return sum;
  }

  /** Adds a column to `counts`, in which each number stands for `width` buckets and the first begins at `first`. */
  addTo(counts: number[], column: number, { first, width }: { readonly first: number; readonly width: number }): void {
    for (let row = this.#buckets.length - 1; row >= 0; row--) {
      const at = Math.floor(((this.#buckets[row] ?? 0) - first) / width);
      if (at < 0) return;
      if (at < counts.length) counts[at] = (counts[at] ?? 0) + this.at(row, column);
    }
  }

  at(row: number, column: number): number {
    return this.#values[row * this.#columns + column] ?? 0;
  }

  /** Buckets, oldest first. */
  get buckets(): readonly number[] {
    return this.#buckets;
  }

  addAll(other: Series): void {
    other.#buckets.forEach((bucket, row) => {
      for (let column = 0; column < this.#columns; column++) {
        this.add(bucket, column, other.#values[row * this.#columns + column] ?? 0);
      }
    });
  }

  copy(): Series {
    const copied = new Series(this.#columns, this.#capacity);
    copied.#buckets = this.#buckets.slice();
    copied.#values = this.#values.slice();
    return copied;
  }

  snapshot(): Json {
    return [this.#buckets.slice(), this.#values.slice()];
  }

  static restore(snapshot: Json, columns: number, capacity: number): Series {
    const series = new Series(columns, capacity);
    if (!Array.isArray(snapshot)) return series;
    series.#buckets = numbers(snapshot[0]).slice(-capacity);
    series.#values = numbers(snapshot[1]).slice(-capacity * columns);
    return series;
  }

  /**
   * Returns the row of a bucket, creating it if missing. Returns -1 for a bucket older than everything in a full
   * series. The result is valid until the next call.
   */
  rowOf(bucket: number): number {
    let row = this.#buckets.length - 1;
    while (row >= 0 && (this.#buckets[row] ?? 0) > bucket) row--;
    if (row >= 0 && this.#buckets[row] === bucket) return row;
    if (this.#buckets.length >= this.#capacity) {
      if (row < 0) return -1;
      this.#buckets.shift();
      this.#values.splice(0, this.#columns);
      row--;
    }
    if (this.#buckets.length === 0) {
      // Most series never get a second bucket, and there are many series: these two arrays have no spare capacity.
      this.#buckets = [bucket];
      this.#values = new Array<number>(this.#columns).fill(0);
    } else if (row === this.#buckets.length - 1) {
      this.#buckets.push(bucket);
      for (let column = 0; column < this.#columns; column++) this.#values.push(0);
    } else {
      this.#buckets.splice(row + 1, 0, bucket);
      this.#values.splice((row + 1) * this.#columns, 0, ...new Array<number>(this.#columns).fill(0));
    }
    return row + 1;
  }
}

function numbers(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}
