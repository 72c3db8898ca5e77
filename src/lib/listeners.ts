/** Who wants to be told. A listener that throws never disturbs the teller nor the next listener. */
export class Listeners<Message> {
  readonly #listeners = new Set<(message: Message) => void>();

  /** Gives the function that takes the listener off again. */
  add(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(message: Message): void {
    for (const listener of this.#listeners) {
      try {
        listener(message);
      } catch {
        // What a listener throws is its own affair: the teller is in the middle of something that must go on.
      }
    }
  }
}
