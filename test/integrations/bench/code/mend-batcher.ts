export class Batcher<T> {
  readonly #size: number;
  readonly #send: (items: T[]) => Promise<void>;
  #waiting: T[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(size: number, send: (items: T[]) => Promise<void>) {
    this.#size = size;
    this.#send = send;
  }

  add(item: T): void {
    this.#waiting.push(item);
  }

  flush(): Promise<void> {
    const flushed = this.#last.then(() => this.#sendAll());
    this.#last = flushed.catch(() => undefined);
    return flushed;
  }

  async #sendAll(): Promise<void> {
    let left = this.#waiting.length;
    while (left > 0) {
      const batch = this.#waiting.slice(0, Math.min(left, this.#size));
      await this.#send(batch);
      this.#waiting = this.#waiting.slice(batch.length);
      left -= batch.length;
    }
  }
}
