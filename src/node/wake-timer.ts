import type { Clock } from '../contract/clock.js';

/** Timer of one task in the background. It rings at the earliest time that was asked for. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #onWake: () => void;
  #cancel: (() => void) | undefined;
  #dueMs = 0;

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  get isSet(): boolean {
    return this.#cancel !== undefined;
  }

  /** Wakes within `delayMs`. */
  set(delayMs: number): void {
    const dueMs = this.#clock.monotonic() + delayMs;
    if (this.isSet && this.#dueMs <= dueMs) return;
    this.cancel();
    this.#dueMs = dueMs;
    this.#cancel = this.#clock.after(
      delayMs,
      () => {
        this.#cancel = undefined;
        this.#onWake();
      },
      { background: true },
    );
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
