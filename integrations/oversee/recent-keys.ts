/** Remembers at least the newest `max` keys, and at most twice as many. Cheaper than an exact order. */
export class RecentKeys {
  readonly #max: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a key as the newest. Returns whether it was remembered. */
  add(key: string): boolean {
    if (this.#newer.has(key)) return true;
    this.#newer.add(key);
    const isKnown = this.#older.has(key);
    if (this.#newer.size >= this.#max) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return isKnown;
  }
}
