export class Mutex {
  readonly #waiting = new Set<() => void>();
  #isLocked = false;

  get isLocked(): boolean {
    return this.#isLocked;
  }

  async acquire(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#isLocked) await this.#wait(signal);
    this.#isLocked = true;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = this.#waiting;
      if (next) next();
      else this.#isLocked = false;
    };
  }

  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(signal);
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Resolves when the lock is handed over. It stays locked meanwhile. */
  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(take);
        reject(signal?.reason);
      };
      const take = () => {
        this.#waiting.delete(take);
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      this.#waiting.add(take);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }
}
