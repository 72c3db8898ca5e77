import type { Clock } from '../contract/clock.js';

/** Waits between attempts. One that a fix caused ends early when the fix is taken back. */
export class Pauses {
  readonly #clock: Clock;
  readonly #checks = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves after `delayMs`, with true if the attempt is still due. Resolves immediately with false if `recheck` finds
   * that it is not. Rejects with the signal's reason if the signal aborts first.
   */
  wait(delayMs: number, signal: AbortSignal | undefined, isDue: () => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const free = () => {
        cancel();
        this.#checks.delete(check);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        free();
        reject(signal?.reason);
      };
      const check = () => {
        if (isDue()) return;
        free();
        resolve(false);
      };
      const cancel = this.#clock.after(delayMs, () => {
        free();
        resolve(true);
      });
      this.#checks.add(check);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Ends the waits for attempts that are not due any more. */
  recheck(): void {
    for (const check of [...this.#checks]) check();
  }
}
