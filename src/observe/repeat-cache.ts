/** Slots checked for one key, so that keys with the same slot do not evict each other. */
const WAYS = 4;

/**
 * Bounded cache with constant cost per call. Stores only keys that were requested twice. If every text is new, nothing
 * is stored and nothing stays in memory.
 */
export class RepeatCache<Value> {
  readonly #keys: (string | undefined)[];
  readonly #values: (Value | undefined)[];
  /** Hashes of the keys, and of those requested once. */
  readonly #hashes: Int32Array;
  readonly #marks: Int32Array;
  #hash = 0;
  #turn = 0;

  /** @param entries Number of slots, a power of two. */
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

  /** Stores the value of the key that `get` just missed, unless it was the first miss. */
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
