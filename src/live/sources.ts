import type { Source } from '../contract/source.js';

/** Sources that feed one loop. */
export class Sources<Loop> {
  readonly #loop: Loop;
  readonly #onError: (source: string, error: unknown) => void;
  readonly #stops = new Map<() => Promise<void>, string>();

  constructor(loop: Loop, onError: (source: string, error: unknown) => void) {
    this.#loop = loop;
    this.#onError = onError;
  }

  /** Names of the attached sources, in the order they were attached. */
  get names(): readonly string[] {
    return [...this.#stops.values()];
  }

  /** Attaches a source until the returned function is called or the loop closes. */
  attach(source: Source<Loop>): () => Promise<void> {
    const detach = source.attach(this.#loop);
    const stop = async () => {
      if (this.#stops.delete(stop)) await detach();
    };
    this.#stops.set(stop, source.name);
    return stop;
  }

  /** Stops every source. A source that fails to stop is reported and does not hold up the others. */
  async stop(): Promise<void> {
    const stopping = [...this.#stops].map(([stop, name]) => stop().catch((error) => this.#onError(name, error)));
    await Promise.all(stopping);
  }
}
