import type { Clock } from 'rsi-loop';

/** Timers of a run. They do not keep the process alive, and end with the run. */
export class RunTimers {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  after(delayMs: number, run: () => void): void {
    const due = () => {
      this.#cancels.delete(cancel);
      run();
    };
    const cancel = this.#clock.after(delayMs, due, { background: true });
    this.#cancels.add(cancel);
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
  }
}
