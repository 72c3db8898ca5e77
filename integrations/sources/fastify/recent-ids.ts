/**
 * Ids that came before, each with a mark of what came under it. Two generations: when the young one is full it becomes
 * the old one and the old one goes, so that memory is bounded and forgetting costs nothing.
 */
export class RecentIds {
  readonly #perGeneration: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  /** Between half of `max` and `max` ids are remembered. */
  constructor(max: number) {
    this.#perGeneration = Math.max(1, Math.floor(max / 2));
  }

  get(id: string): number | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  add(id: string, mark: number): void {
    if (this.#young.size >= this.#perGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, mark);
  }
}
