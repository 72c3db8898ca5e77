/** Who wants to be told. A listener that throws never disturbs the teller nor the next listener. */
export class Listeners<Message> {
  readonly #listeners: ((message: Message) => void)[] = [];

  add(listener: (message: Message) => void): void {
    this.#listeners.push(listener);
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
