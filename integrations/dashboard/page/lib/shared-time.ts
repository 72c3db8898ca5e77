/** Time under the pointer, shared by all charts of the page. */
export class SharedTime {
  readonly #listeners = new Set<(timeMs: number | undefined) => void>();

  point(timeMs: number | undefined): void {
    for (const listener of this.#listeners) listener(timeMs);
  }

  subscribe(listener: (timeMs: number | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
