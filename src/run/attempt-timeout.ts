import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { isThenable } from '../lib/promises.js';
import { isStream } from './stream.js';

/** Told what work that was stopped gives after all. */
export interface LateReader<Value> {
  late(value: Value): void;
}

/** Runs one attempt that can be stopped: by its time-out, or by the host. */
export class AttemptTimeout<Value> {
  readonly #task: string;
  readonly #timeoutMs: number;
  readonly #host: AbortSignal | undefined;
  readonly #owner: LateReader<Value>;
  /** Made when the work reads its signal: most work never does, and a controller costs more than all the rest. */
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #onAbort: (() => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #state: 'running' | 'stopped' | 'done' = 'running';
  #reason: unknown;

  /** `timeoutMs` 0 means never. */
  constructor(clock: Clock, task: string, timeoutMs: number, host: AbortSignal | undefined, owner: LateReader<Value>) {
    this.#task = task;
    this.#timeoutMs = timeoutMs;
    this.#host = host;
    this.#owner = owner;
    if (timeoutMs > 0) this.#cancelTimer = clock.after(timeoutMs, () => this.#timeOut());
    if (host !== undefined) {
      this.#onAbort = () => this.#halt(host.reason);
      host.addEventListener('abort', this.#onAbort, { once: true });
    }
  }

  /** For the work; aborts when it is stopped. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#state === 'stopped') this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /**
   * Gives what the work gives. Rejects at once when it is stopped, whether or not the work listens to its signal;
   * what the work gives later is dropped. Streams go on being work: for them the guard stays in force until `release`.
   */
  run<Context>(work: (context: Context) => Value | PromiseLike<Value>, context: Context): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#reject = reject;
      const succeed = (value: Value) => {
        if (this.#state === 'stopped') {
          this.#owner.late(value);
          return;
        }
        if (!isStream(value)) this.release();
        resolve(value);
      };
      const fail = (error: unknown) => {
        if (this.#state === 'stopped') return; // it was told to stop and did
        this.release();
        reject(error);
      };
      try {
        const given = work(context);
        if (isThenable(given)) given.then(succeed, fail);
        else succeed(given);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Frees the timer and the host's signal; nothing stops the work any more. */
  release(): void {
    if (this.#state === 'running') this.#state = 'done';
    this.#cancelTimer?.();
    if (this.#onAbort !== undefined) this.#host?.removeEventListener('abort', this.#onAbort);
  }

  #timeOut(): void {
    this.#halt(new LoopError('timed-out', `${this.#task} took longer than ${this.#timeoutMs} ms`));
  }

  #halt(reason: unknown): void {
    if (this.#state !== 'running') return;
    this.#state = 'stopped';
    this.#reason = reason;
    this.release();
    this.#reject?.(reason);
    this.#controller?.abort(reason);
  }
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
