import type { Json } from '../contract/json.js';

/**
 * Part of a saved state that stays text until something needs it. Most groups of a large state never get another
 * occurrence, and reading text costs a tenth of parsing it.
 */
export class KeptPart<Part extends { snapshot(): Json }> {
  readonly #restore: (snapshot: Json) => Part;
  #part: Part | string;

  /** `restore` returns the part for what its `snapshot` returned. */
  constructor(part: Part, restore: (snapshot: Json) => Part) {
    this.#part = part;
    this.#restore = restore;
  }

  get part(): Part {
    if (typeof this.#part === 'string') this.#part = this.#restore(JSON.parse(this.#part));
    return this.#part;
  }

  /** Returns the JSON of the part as text. */
  snapshot(): string {
    return typeof this.#part === 'string' ? this.#part : JSON.stringify(this.#part.snapshot());
  }

  /** Takes what `snapshot` returned, or the JSON of the part itself, as earlier releases saved it. */
  restore(kept: Json): void {
    this.#part = typeof kept === 'string' ? kept : this.#restore(kept);
  }
}
