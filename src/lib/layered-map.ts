/** Maximum number of changes kept apart from the base of a small map. For a larger map: the square root of its size. */
const MIN_CHANGES = 32;
const REMOVED = Symbol('removed');

/**
 * Immutable map: `with` and `without` return a new map that shares most of the data.
 * A change costs the square root of the size, while copying a `Map` costs the full size. Entries keep their insertion
 * order.
 */
export class LayeredMap<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>;
  readonly #changes: ReadonlyMap<Key, Value | typeof REMOVED>;
  readonly size: number;

  constructor(
    base: ReadonlyMap<Key, Value> = new Map(),
    changes: ReadonlyMap<Key, Value | typeof REMOVED> = new Map(),
    size = base.size,
  ) {
    this.#base = base;
    this.#changes = changes;
    this.size = size;
  }

  get(key: Key): Value | undefined {
    const changed = this.#changes.get(key);
    if (changed === undefined) return this.#base.get(key);
    return changed === REMOVED ? undefined : changed;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Returns a map with this value under the key. `undefined` is not a valid value. */
  with(key: Key, value: Value): LayeredMap<Key, Value> {
    const size = this.has(key) ? this.size : this.size + 1;
    return this.#derive(new Map(this.#changes).set(key, value), size);
  }

  without(key: Key): LayeredMap<Key, Value> {
    if (!this.has(key)) return this;
    const changes = new Map(this.#changes);
    if (this.#base.has(key)) changes.set(key, REMOVED);
    else changes.delete(key);
    return this.#derive(changes, this.size - 1);
  }

  /** Yields values in the insertion order of their keys. */
  *values(): Generator<Value, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  /** Yields keys with their values, in the insertion order of the keys. */
  *entries(): Generator<[Key, Value], undefined> {
    for (const [key, value] of this.#base) {
      const changed = this.#changes.get(key) ?? value;
      if (changed !== REMOVED) yield [key, changed];
    }
    for (const [key, value] of this.#changes) if (value !== REMOVED && !this.#base.has(key)) yield [key, value];
  }

  /** Returns the changed map. Merges the changes into a new base once there are many. */
  #derive(changes: ReadonlyMap<Key, Value | typeof REMOVED>, size: number): LayeredMap<Key, Value> {
    const derived = new LayeredMap(this.#base, changes, size);
    const isMany = changes.size > Math.max(MIN_CHANGES, Math.sqrt(this.#base.size));
    return isMany ? new LayeredMap(new Map(derived.entries())) : derived;
  }
}
