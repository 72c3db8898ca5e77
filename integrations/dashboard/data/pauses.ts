/** Longest time that one piece of work holds up the process, in milliseconds. */
const SLICE_MS = 4;

/** Pauses of longer work, so that the process can serve others. */
export class Pauses {
  #sinceMs = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#sinceMs >= SLICE_MS;
  }

  /** Lets other work run. */
  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#sinceMs = performance.now();
  }
}
