/**
 * Makes many requests share one flush: whoever comes while one runs waits for the next, which begins when it ends and
 * covers everything recorded before it began.
 */
export class SafePoint {
  readonly #flush: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when everything recorded before this call is as safe as the store can make it. */
  reach(): Promise<void> {
    if (this.#running === undefined) return this.#run();
    this.#next ??= this.#running.then(
      () => this.#run(),
      () => this.#run(),
    );
    return this.#next;
  }

  async #run(): Promise<void> {
    this.#next = undefined;
    const run = this.#flush();
    this.#running = run;
    try {
      await run;
    } finally {
      if (this.#running === run) this.#running = undefined;
    }
  }
}
