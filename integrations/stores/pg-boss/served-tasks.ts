import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type { TaskCall, TaskHost, WorkerFunction } from 'rsi-loop/orchestrate';
import { Purse } from 'rsi-loop/oversee';
import type { Boss, Job } from './boss.js';
import type { Expected, Notices } from './notices.js';
import type { Query } from './run-table.js';

/** Options of `serve`. */
export interface ServeOptions {
  /** Tasks at the same time on this machine, from 1. Default 4. */
  readonly concurrency?: number;
}

interface ServeParts {
  readonly boss: Boss;
  readonly query: Query;
  readonly notices: Notices;
  readonly notify: (subject: string) => Promise<void>;
  readonly queues: readonly (readonly [queue: string, work: WorkerFunction])[];
  readonly pollMs: number;
  readonly beatMs: number;
}

/** Longest wait before a database that did not answer is asked again, in milliseconds. */
const RETRY_MS = 1_000;

/** Tasks that this machine does for runs anywhere. */
export class ServedTasks {
  readonly #parts: ServeParts;
  readonly #concurrency: number;
  readonly #running = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  /** Notices of jobs of each queue, and of places that became free. */
  readonly #expected: readonly Expected[];
  #isClosed = false;
  #wake: () => void = () => undefined;

  /** @throws LoopError `invalid-input` for an option out of range. */
  constructor(parts: ServeParts, { concurrency = 4 }: ServeOptions) {
    if (!(Number.isInteger(concurrency) && concurrency > 0))
      throw new LoopError('invalid-input', `concurrency is ${showValue(concurrency)}: give a whole number from 1`);
    this.#parts = parts;
    this.#concurrency = concurrency;
    this.#expected = parts.queues.map(([queue]) => parts.notices.expect(queue));
    this.#done = this.#serve().finally(() => {
      for (const expected of this.#expected) expected.close();
    });
  }

  /** Takes no more tasks. Resolves when those in progress have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#done;
    await Promise.all(this.#running);
  }

  /** Takes tasks while there are free places. A database that does not answer is asked again. */
  async #serve(): Promise<void> {
    const { pollMs } = this.#parts;
    while (!this.#isClosed) {
      const taken = await this.#take();
      // The notice of a job was used up by the question that failed.
      const waitMs = taken === undefined ? Math.min(pollMs, RETRY_MS) : pollMs;
      // `close` may have been called while the database answered: there was no sleep to wake it from.
      if (!taken && !this.#isClosed) await this.#sleep(waitMs);
    }
  }

  /** Begins tasks. Returns how many, or undefined if the database did not answer. */
  async #take(): Promise<number | undefined> {
    const { boss, queues } = this.#parts;
    let taken = 0;
    for (const [queue, work] of queues) {
      const batchSize = this.#concurrency - this.#running.size;
      if (batchSize <= 0 || this.#isClosed) break;
      // No job has a time to start at: a clock that was set back must not hide it.
      const options = { batchSize, ignoreStartAfter: true };
      const jobs = await boss.fetch<TaskCall>(queue, options).catch(() => undefined);
      if (jobs === undefined) return undefined;
      taken += jobs?.length ?? 0;
      for (const job of jobs ?? []) this.#start(queue, work, job);
    }
    return taken;
  }

  #start(queue: string, work: WorkerFunction, job: Job<TaskCall>): void {
    const running = this.#run(queue, work, job).then(() => {
      this.#running.delete(running);
      this.#wake();
    });
    this.#running.add(running);
  }

  async #run(queue: string, work: WorkerFunction, { id, data }: Job<TaskCall>): Promise<void> {
    const { boss, query, beatMs } = this.#parts;
    const stop = new AbortController();
    const beat = async () => {
      const sql =
        'insert into {s}.run_beats (job, beat) values ($1, now()) on conflict (job) do update set beat = now()';
      await query(sql, [id]);
      const job = await boss.getJobById(queue, id, { includeArchive: true });
      if (job?.state !== 'active') stop.abort(new LoopError('stopped', `task ${data.id} was cancelled`));
    };
    const beatLater = () => void beat().catch(() => undefined); // without beats, the task is given to another machine
    beatLater();
    const timer = setInterval(beatLater, beatMs);
    try {
      const purse = new Purse(data.id, data.worst ?? {});
      const result = await work({ ...data, ...hostOf(data, purse, stop.signal) });
      await this.#end(id, () => boss.complete(queue, id, { result: result ?? null, used: purse.spent }));
    } catch (error) {
      await this.#end(id, () => boss.fail(queue, id, { error: plainError(error) }));
    } finally {
      clearInterval(timer);
      await query('delete from {s}.run_beats where job = $1', [id]).catch(() => undefined);
    }
  }

  /** Stores the end of a job. If the database does not answer, the run sees a machine without signs of life. */
  async #end(id: string, store: () => Promise<void>): Promise<void> {
    await store().catch(() => undefined);
    await this.#parts.notify(id);
  }

  /** Waits for a job, a free place or the interval. */
  async #sleep(ms: number): Promise<void> {
    const awake = new AbortController();
    this.#wake = () => awake.abort();
    await Promise.race(this.#expected.map((each) => each.next(ms, awake.signal)));
    awake.abort();
  }
}

/** Returns the functions of a task on another machine: it spends from what the run reserved for it, and gets no messages. */
function hostOf({ id }: TaskCall, purse: Purse, signal: AbortSignal): TaskHost {
  const noMessages = async (): Promise<never> => {
    throw new LoopError('illegal-step', `${id} runs on another machine, where tasks have no messages`);
  };
  return {
    signal,
    spend: async (worst, work, measure) => {
      signal.throwIfAborted();
      const reservation = purse.reserve(worst);
      let actual = worst;
      try {
        const result = await work(signal);
        actual = measure?.(result) ?? worst;
        return result;
      } finally {
        reservation.settle(actual);
      }
    },
    send: noMessages,
    receive: noMessages,
  };
}

function plainError(error: unknown) {
  const { name, message, code, status } = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Record<'name' | 'message' | 'code' | 'status', unknown>
  >;
  return { name: String(name ?? 'Error'), message: String(message ?? error), code, status };
}
