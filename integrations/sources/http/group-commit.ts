/** Group of requests that wait for the same flush. */
interface Group {
  readonly safe: Promise<void>;
  readonly begin: () => void;
}

/**
 * Lets many requests share one flush and be answered together. A flush begins once everything that arrived in the same
 * event-loop turn is read. Requests that arrive during a flush wait for the next one, which begins when it ends.
 * Separate answers would wake a waiting client once each, which costs more than the rest of a small request.
 */
export class GroupCommit {
  readonly #flush: () => Promise<void>;
  #isFlushing = false;
  #waiting: Group | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when everything recorded before this call is as durable as the store can make it. */
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
      // Starts the group that formed during the flush.
      (this.#waiting as Group | undefined)?.begin(); // can be set again during the flush
    }
  }
}
