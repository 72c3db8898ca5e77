import { hash53 } from '../hash.js';

/** Initial number of slots. The table is at most half full, so a look-up takes one or two steps. */
const START_SLOTS = 1 << 14;

/**
 * Set of seen ids, at about 16 to 32 bytes each for any id length. It keeps 53 bits of an id. With a million ids, one
 * in 20,000 sets mistakes one new id for a known one.
 */
export class IdSet {
  #slots = new Float64Array(START_SLOTS);
  size = 0;

  /** Adds an id. Returns false if it was already there. */
  add(id: string): boolean {
    if (this.size * 2 >= this.#slots.length) this.#grow();
    const isNew = put(this.#slots, hash53(id) || 1); // 0 marks an empty slot
    if (isNew) this.size++;
    return isNew;
  }

  #grow(): void {
    const slots = new Float64Array(this.#slots.length * 2);
    for (const known of this.#slots) if (known !== 0) put(slots, known);
    this.#slots = slots;
  }
}

function put(slots: Float64Array, value: number): boolean {
  const mask = slots.length - 1;
  let at = (value % 0x1_0000_0000) & mask;
  for (; slots[at] !== 0; at = (at + 1) & mask) if (slots[at] === value) return false;
  slots[at] = value;
  return true;
}
