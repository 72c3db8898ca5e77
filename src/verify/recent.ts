/** Complete state of a `Recent` in its two generations, oldest first. */
export type RecentSnapshot<Value> = readonly [
  older: readonly (readonly [string, Value])[],
  newer: readonly (readonly [string, Value])[],
];

/**
 * Bounded map that keeps at least the newest `size` named values and at most twice as many. Drops the older half
 * together.
 */
export class Recent<Value> {
  readonly #size: number;
  #older: Map<string, Value>;
  #newer: Map<string, Value>;

  constructor(size: number, [older, newer]: RecentSnapshot<Value> = [[], []]) {
    this.#size = size;
    this.#older = new Map(older);
    this.#newer = new Map(newer);
  }

  get(name: string): Value | undefined {
    return this.#newer.get(name) ?? this.#older.get(name);
  }

  has(name: string): boolean {
    return this.#newer.has(name) || this.#older.has(name);
  }

  /** Sets a value. Returns the dropped values, if any. */
  set(name: string, value: Value): Iterable<Value> | undefined {
    this.#newer.set(name, value);
    if (this.#newer.size < this.#size) return undefined;
    const leaving = this.#older;
    this.#older = this.#newer;
    this.#newer = new Map();
    return leaving.values();
  }

  delete(name: string): void {
    this.#newer.delete(name);
    this.#older.delete(name);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  snapshot(): RecentSnapshot<Value> {
    return [[...this.#older], [...this.#newer]];
  }
}
