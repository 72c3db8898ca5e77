import { LoopError } from '../errors.js';
import type { Clock } from '../ports.js';

export interface GuardOptions {
  readonly clock: Clock;
  /** Stops the attempt after this time; 0 means never. */
  readonly timeoutMs: number;
  /** Whose time it is, for the message. */
  readonly what: string;
  /** Stops the attempt when the host says so. */
  readonly signal: AbortSignal | undefined;
  /** Told when work that was stopped gives a value after all. */
  readonly onLate: () => void;
}

/**
 * Runs work that can be stopped. When the time is over or the host aborts, the promise rejects at once, whether or not
 * the work listens to its signal; what it gives later is dropped.
 */
export function guardWork<Value>(
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
  options: GuardOptions,
): Promise<Value> {
  const { clock, timeoutMs, what, signal, onLate } = options;
  return new Promise<Value>((resolve, reject) => {
    const controller = new AbortController();
    let settled = false;
    let cancelTimer: (() => void) | undefined;
    const settle = () => {
      settled = true;
      cancelTimer?.();
      signal?.removeEventListener('abort', onAbort);
    };
    const stop = (reason: unknown) => {
      if (settled) return;
      settle();
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => stop(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs > 0) {
      cancelTimer = clock.after(timeoutMs, () =>
        stop(new LoopError('timed-out', `${what} took longer than ${timeoutMs} ms`)),
      );
    }
    const succeed = (value: Value) => {
      if (settled) return onLate();
      settle();
      resolve(value);
    };
    const fail = (error: unknown) => {
      if (settled) return; // it was told to stop and did
      settle();
      reject(error);
    };
    try {
      // Work that gives a plain value ends in the same turn as it would without us.
      Promise.resolve(work(controller.signal)).then(succeed, fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** Waits, unless the signal aborts first: then it rejects with the signal's reason. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The time-out of a whole task joined with the host's own signal. */
export class TaskStop {
  readonly #controller = new AbortController();
  readonly #host: AbortSignal | undefined;
  readonly #onAbort: () => void;
  readonly #cancelTimer: () => void;

  constructor(clock: Clock, timeoutMs: number, task: string, host: AbortSignal | undefined) {
    this.#host = host;
    this.#onAbort = () => this.#controller.abort(host?.reason);
    host?.addEventListener('abort', this.#onAbort, { once: true });
    this.#cancelTimer = clock.after(timeoutMs, () => {
      const error = new LoopError('timed-out', `task ${task} took longer than ${timeoutMs} ms with all its attempts`);
      this.#controller.abort(error);
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Frees the timer and the host's signal. */
  release(): void {
    this.#cancelTimer();
    this.#host?.removeEventListener('abort', this.#onAbort);
  }
}
