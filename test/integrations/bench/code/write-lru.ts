export class Lru<K, V> {
  readonly #capacity: number;
  readonly #entries = new Map<K, V>();

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError(`capacity is ${capacity}`);
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    if (!this.#entries.has(key)) return undefined;
    const value = this.#entries.get(key) as V;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: K, value: V): K | undefined {
    const isFull = this.#entries.size === this.#capacity && !this.#entries.has(key);
    const [oldest] = this.#entries.keys();
    if (isFull) this.#entries.delete(oldest as K);
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return isFull ? oldest : undefined;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  keys(): K[] {
    return [...this.#entries.keys()];
  }
}
