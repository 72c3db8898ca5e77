/** Places looked at for one key: two keys that belong into the same place do not push each other out. */
const WAYS = 4;

/**
 * A bounded memory of what was worked out before, at constant cost. Only what was asked for twice is kept: where every text
 * is new, nothing is stored, and nothing grows old in memory.
 */
export class TwoHitCache<Value> {
  readonly #keys: (string | undefined)[];
  readonly #values: (Value | undefined)[];
  /** Hashes of the keys, and of those asked for once. */
  readonly #hashes: Int32Array;
  readonly #marks: Int32Array;
  #hash = 0;
  #turn = 0;

  /** Holds `entries` of them, a power of two. */
  constructor(entries: number) {
    this.#keys = new Array(entries);
    this.#values = new Array(entries);
    this.#hashes = new Int32Array(entries);
    this.#marks = new Int32Array(entries);
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key);
    this.#hash = hash;
    const first = this.#firstPlace();
    for (let place = first; place < first + WAYS; place++) {
      if (this.#hashes[place] === hash && this.#keys[place] === key) return this.#values[place];
    }
    return undefined;
  }

  /** Keeps the value of the key that `get` was just asked for in vain, if it is not the first time. */
  set(key: string, value: Value): void {
    const first = this.#firstPlace();
    const mark = first + ((this.#hash >>> 30) & (WAYS - 1));
    if (this.#marks[mark] !== this.#hash) {
      this.#marks[mark] = this.#hash;
      return;
    }
    const place = first + (this.#turn++ & (WAYS - 1));
    this.#hashes[place] = this.#hash;
    this.#keys[place] = key;
    this.#values[place] = value;
  }

  #firstPlace(): number {
    return this.#hash & (this.#marks.length - 1) & ~(WAYS - 1);
  }
}

function hashOf(key: string): number {
  let hash = key.length;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}
