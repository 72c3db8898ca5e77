import { LoopError } from 'rsi-loop';
import type { Amount } from 'rsi-loop/oversee';
import type { FromLane, ToLane } from './lane-messages.js';
import { lanePort } from './lane-port.js';
import { fromPlainError, toPlainError } from './plain-error.js';
import type { TaskMessage } from './run-state.js';
import type { TaskCall, TaskHost, WorkerFunction } from './worker.js';

/**
 * Serves the tasks of `threads` or `processes`: call it once, in the file that they start.
 * @throws LoopError `illegal-step` in a file that neither of them started.
 */
export function serveTask(work: WorkerFunction): void {
  const port = lanePort();
  if (!port) {
    const message = 'serveTask() was called in a program of its own: name its file in threads() or processes()';
    throw new LoopError('illegal-step', message);
  }
  let current: ServedCall | undefined;
  port.onMessage((message) => {
    const said = message as ToLane; // `LanePool` sends nothing else
    if (said.kind === 'call') {
      current = new ServedCall(said.call, (answer) => port.post(answer));
      void current.run(said.task, work);
    } else if (current && current.number === said.call) current.take(said);
  });
}

interface Question {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One attempt inside a thread or process. */
class ServedCall {
  readonly number: number;
  readonly #post: (message: FromLane) => void;
  readonly #stop = new AbortController();
  readonly #questions = new Map<number, Question>();
  #asked = 0;

  constructor(number: number, post: (message: FromLane) => void) {
    this.number = number;
    this.#post = post;
  }

  async run(task: TaskCall, work: WorkerFunction): Promise<void> {
    const call = this.number;
    try {
      this.#post({ kind: 'done', call, result: await work({ ...task, ...this.#host() }) });
    } catch (error) {
      // The message may also be what could not be sent: a function in the result.
      this.#post({ kind: 'failed', call, error: toPlainError(error) });
    }
  }

  take(message: Exclude<ToLane, { kind: 'call' }>): void {
    if (message.kind === 'abort') {
      this.#stop.abort(fromPlainError(message.reason));
      return;
    }
    const question = this.#questions.get(message.question);
    this.#questions.delete(message.question);
    if (message.error) question?.reject(fromPlainError(message.error));
    else question?.resolve(message.value);
  }

  #host(): TaskHost {
    const call = this.number;
    const { signal } = this.#stop;
    return {
      signal,
      spend: async (worst, work, measure) => {
        const question = await this.#ask((number) => ({ kind: 'reserve', call, question: number, worst }));
        let actual: Amount = {};
        try {
          const result = await work(signal);
          actual = measure?.(result) ?? {};
          return result;
        } finally {
          this.#post({ kind: 'settle', call, question: question as number, actual }); // the answer is its number
        }
      },
      send: async (to, body) => {
        await this.#ask((question) => ({ kind: 'send', call, question, to, body }));
      },
      receive: async (from) => {
        const about = from === undefined ? {} : { from };
        const message = await this.#ask((question) => ({ kind: 'receive', call, question, ...about }));
        return message as TaskMessage; // the host answers with one
      },
    };
  }

  #ask(message: (question: number) => FromLane): Promise<unknown> {
    this.#stop.signal.throwIfAborted();
    const question = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#questions.set(question, { resolve, reject });
      this.#post(message(question));
    });
  }
}
