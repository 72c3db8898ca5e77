/** Work of a run that is in progress: calls, waits and children. */
export class OpenWork {
  readonly #names = new Map<number, string>();
  readonly #open = new Set<Promise<unknown>>();
  #count = 0;

  /** Names of the calls, waits and children in progress. */
  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  /** Names work that begins now. Returns the function that ends it. */
  begin(name: string): () => void {
    const id = ++this.#count;
    this.#names.set(id, name);
    return () => {
      this.#names.delete(id);
    };
  }

  /** Remembers a promise until it settles, and returns it. */
  track<Result>(work: Promise<Result>): Promise<Result> {
    const forget = () => {
      this.#open.delete(work);
    };
    this.#open.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when nothing is in progress, also nothing that began meanwhile. */
  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}
