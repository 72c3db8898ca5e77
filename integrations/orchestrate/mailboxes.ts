import { LoopError } from 'rsi-loop';
import type { RunState, TaskMessage } from './run-state.js';

interface Waiting {
  readonly to: string;
  readonly from: string | undefined;
  /** Messages that the attempt got. */
  readonly taken: Set<TaskMessage>;
  readonly resolve: (message: TaskMessage) => void;
  readonly reject: (error: unknown) => void;
}

/** Messages between the running tasks of a run. */
export class Mailboxes {
  readonly #state: RunState;
  readonly #onWait: () => void;
  readonly #waiting = new Set<Waiting>();

  /** `onWait` is called when a task begins to wait. */
  constructor(state: RunState, onWait: () => void) {
    this.#state = state;
    this.#onWait = onWait;
  }

  /** Number of tasks that wait for a message. */
  get waiting(): number {
    return new Set([...this.#waiting].map(({ to }) => to)).size;
  }

  /** Returns the reader of one attempt: it sees every message to the task, from the first one on. */
  reader(to: string, signal: () => AbortSignal): (from?: string) => Promise<TaskMessage> {
    const taken = new Set<TaskMessage>();
    return async (from) => {
      const stop = signal();
      stop.throwIfAborted();
      const next = this.#state.messages.get(to)?.find((one) => !taken.has(one) && isFrom(one, from));
      if (!next) return this.#wait({ to, from, taken }, stop);
      taken.add(next);
      return next;
    };
  }

  /** Passes a message to a task that waits for it. It must be in the state already. */
  deliver(to: string): void {
    const message = this.#state.messages.get(to)?.at(-1);
    if (!message) return;
    for (const one of this.#waiting) {
      if (one.to !== to || !isFrom(message, one.from)) continue;
      one.taken.add(message);
      one.resolve(message);
      return;
    }
  }

  /** Ends every wait: all running tasks wait for a message. */
  rejectAll(): void {
    for (const { to, from, reject } of this.#waiting) {
      const sender = from === undefined ? 'a message' : `a message of ${from}`;
      const message = `${to} waits for ${sender}, and no task is left that could send one: compare its receive() with the send() of the others`;
      reject(new LoopError('stopped', message));
    }
  }

  #wait(about: Pick<Waiting, 'to' | 'from' | 'taken'>, signal: AbortSignal): Promise<TaskMessage> {
    return new Promise((resolve, reject) => {
      const end = <Value>(settle: (value: Value) => void) => {
        return (value: Value) => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', onAbort);
          settle(value);
        };
      };
      const waiting: Waiting = { ...about, resolve: end(resolve), reject: end(reject) };
      const onAbort = () => waiting.reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiting);
      this.#onWait();
    });
  }
}

function isFrom(message: TaskMessage, from: string | undefined): boolean {
  return from === undefined || message.from === from;
}
