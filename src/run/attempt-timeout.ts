import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { isThenable } from '../lib/promises.js';
import { describeTimeOut, markLimit, type TimeLimit } from './loop-limits.js';
import { isStream } from './stream.js';

/** Runs one attempt that its time-out or the host can stop. */
export class AttemptTimeout<Value> {
  readonly #task: string;
  readonly #limit: TimeLimit;
  readonly #host: AbortSignal | undefined;
  readonly #onLate: (value: Value) => void;
  /**
   * Created when the work first reads its signal. Most work never reads it, and a controller is the largest cost here.
   */
  #controller: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #onAbort: (() => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #state: 'running' | 'stopped' | 'done' = 'running';
  #reason: unknown;

  /** `onLate` gets a value that the work returned after it was stopped. */
  constructor(
    clock: Clock,
    task: string,
    limit: TimeLimit,
    host: AbortSignal | undefined,
    onLate: (value: Value) => void,
  ) {
    this.#task = task;
    this.#limit = limit;
    this.#host = host;
    this.#onLate = onLate;
    if (limit.timeoutMs > 0) this.#cancelTimer = clock.after(limit.timeoutMs, () => this.#timeOut());
    if (host !== undefined) {
      this.#onAbort = () => this.#halt(host.reason);
      host.addEventListener('abort', this.#onAbort, { once: true });
    }
  }

  /** Returns the signal for the work. It aborts when the attempt is stopped. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#state === 'stopped') this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /**
   * Resolves with the value of `work`. Rejects immediately when the attempt is stopped, even if `work` ignores its
   * signal.
   * A value that arrives later is dropped. A returned stream still counts as work: it can be stopped until `release`.
   */
  run<Context>(work: (context: Context) => Value | PromiseLike<Value>, context: Context): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      this.#reject = reject;
      const succeed = (value: Value) => {
        if (this.#state === 'stopped') {
          this.#onLate(value);
          return;
        }
        if (!isStream(value)) this.release();
        resolve(value);
      };
      const fail = (error: unknown) => {
        if (this.#state === 'stopped') return; // the work rejected because it was stopped
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

  /** Cancels the timer and stops listening to the host's signal. After this, nothing stops the work. */
  release(): void {
    if (this.#state === 'running') this.#state = 'done';
    this.#cancelTimer?.();
    if (this.#onAbort !== undefined) this.#host?.removeEventListener('abort', this.#onAbort);
  }

  #timeOut(): void {
    const error = new LoopError('timed-out', describeTimeOut(this.#task, this.#limit));
    this.#halt(this.#limit.owner === undefined ? error : markLimit(error));
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
