/** List of listeners. A listener that throws affects neither the emitter nor the other listeners. */
export class Listeners<Message> {
  readonly #listeners = new Set<(message: Message) => unknown>();
  readonly #onThrow: (error: unknown) => void;

  /** `onThrow` receives what a listener threw, or the rejection of its promise. */
  constructor(onThrow: (error: unknown) => void = () => {}) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Adds a listener and returns a function that removes it. */
  add(listener: (message: Message) => unknown): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(message: Message): void {
    for (const listener of this.#listeners) {
      try {
        const result = listener(message);
        // Without this, an async listener that fails would end the process.
        if (result instanceof Promise) result.catch(this.#onThrow);
      } catch (error) {
        this.#onThrow(error);
      }
    }
  }
}
