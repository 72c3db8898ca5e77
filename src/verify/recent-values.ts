/** Window of values for ranks, and the minimum before a rank is available. */
const WINDOW = 200;
const ENOUGH = 20;

/** Sliding window of values, also kept sorted for fast rank look-ups. */
export class RecentValues {
  readonly #inTime: number[] = [];
  readonly #sorted: number[] = [];

  constructor(values: readonly number[] = []) {
    for (const value of values) this.add(value);
  }

  add(value: number): void {
    this.#inTime.push(value);
    this.#sorted.splice(placeOf(this.#sorted, value), 0, value);
    if (this.#inTime.length <= WINDOW) return;
    const oldest = this.#inTime.shift();
    if (oldest !== undefined) this.#sorted.splice(placeOf(this.#sorted, oldest), 1);
  }

  /** Returns the share of values below `value`, with ties counted half; undefined with too few values. */
  rank(value: number): number | undefined {
    const { length } = this.#sorted;
    if (length < ENOUGH) return undefined;
    const below = placeOf(this.#sorted, value);
    let equal = 0;
    while (this.#sorted[below + equal] === value) equal++;
    return (below + equal / 2) / length;
  }

  /** Returns the quantile of the values at `share`; undefined with too few values. */
  quantile(share: number): number | undefined {
    const { length } = this.#sorted;
    return length < ENOUGH ? undefined : this.#sorted[Math.min(length - 1, Math.floor(share * length))];
  }

  list(): readonly number[] {
    return [...this.#inTime];
  }
}

/** Returns the index of the first value that is not smaller. */
function placeOf(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
