/** Map of at most `max` entries, in the order in which they were put. Old entries whose end never comes are forgotten. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Adds an entry as the newest. Returns the value of the oldest one if it had to be removed. */
  put(key: string, value: Value): Value | undefined {
    this.delete(key);
    this.set(key, value);
    if (this.size <= this.#max) return undefined;
    return this.take(this.keys().next().value ?? '');
  }

  /** Removes an entry and returns its value. */
  take(key: string): Value | undefined {
    const value = this.get(key);
    this.delete(key);
    return value;
  }
}
