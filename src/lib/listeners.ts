/** Who wants to be told. A listener that throws never disturbs the teller nor the next listener. */
export class Listeners<Message> {
  readonly #listeners = new Set<(message: Message) => unknown>();
  readonly #onThrow: (error: unknown) => void;

  /** `onThrow` hears what a listener threw, or what the promise it gave was rejected with. */
  constructor(onThrow: (error: unknown) => void = () => {}) {
    this.#onThrow = onThrow;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Gives the function that takes the listener off again. */
  add(listener: (message: Message) => unknown): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(message: Message): void {
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
