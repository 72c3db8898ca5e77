/**
 * Recent ids, each with a number such as a checksum of its content. There are two generations. When the young one is full, it replaces
 * the old one, so memory is bounded and forgetting is free.
 */
export class RecentIds {
  readonly #perGeneration: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  /** Remembers between half of `max` and `max` ids. */
  constructor(max: number) {
    this.#perGeneration = Math.max(1, Math.floor(max / 2));
  }

  get(id: string): number | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Adds an id. Returns false, and changes nothing, if it is there already. */
  add(id: string, mark = 0): boolean {
    if (this.get(id) !== undefined) return false;
    if (this.#young.size >= this.#perGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, mark);
    return true;
  }
}
