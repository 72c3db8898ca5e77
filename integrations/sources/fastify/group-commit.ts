/** Those who wait for the same flush. */
interface Group {
  readonly safe: Promise<void>;
  readonly begin: () => void;
}

/**
 * Makes many requests share one flush, and be answered together: a flush begins when everything has been read that came
 * in the same turn of the event loop. Whoever comes while one runs waits for the next, which begins when it ends.
 * Answers that go out one by one wake a waiting client once each, which costs more than all the rest of a small request.
 */
export class GroupCommit {
  readonly #flush: () => Promise<void>;
  #isFlushing = false;
  #waiting: Group | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when everything recorded before this call is as safe as the store can make it. */
  reach(): Promise<void> {
    if (this.#waiting === undefined) {
      this.#waiting = this.#group();
      if (!this.#isFlushing) setImmediate(this.#waiting.begin);
    }
    return this.#waiting.safe;
  }

  #group(): Group {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    return { safe: begun.then(() => this.#run()), begin };
  }

  async #run(): Promise<void> {
    this.#waiting = undefined;
    this.#isFlushing = true;
    try {
      await this.#flush();
    } finally {
      this.#isFlushing = false;
      // Those who came meanwhile.
      (this.#waiting as Group | undefined)?.begin(); // it may have been set again during the flush
    }
  }
}
