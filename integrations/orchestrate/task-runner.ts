import type { RSILoop } from 'rsi-loop';
import { type Clock, classifyError, type Json, LoopError, type RunContext, redact } from 'rsi-loop';
import { describeThrown, showValue } from 'rsi-loop/kit';
import type { Amount, Supervised, WorstCase } from 'rsi-loop/oversee';
import type { Mailboxes } from './mailboxes.js';
import type { RunJournal } from './run-journal.js';
import type { RunState, TaskNode } from './run-state.js';
import { isGoal, type WorkerTask } from './task.js';
import { type AttemptPorts, TaskAttempt } from './task-attempt.js';
import type { Worker, WorkerResult } from './worker.js';

export interface RunnerParts {
  readonly run: string;
  readonly task: RSILoop['run'];
  readonly state: RunState;
  readonly clock: Pick<Clock, 'now'>;
  readonly journal: RunJournal;
  readonly mail: Mailboxes;
  readonly workers: Readonly<Record<string, Worker>>;
  readonly supervised: Pick<Supervised, 'spend' | 'signal'>;
  readonly session: string | undefined;
  /** Called when a task has failed, before anything else happens. */
  readonly onFailed: (node: TaskNode) => void;
}

/** Task in progress. */
interface Running {
  readonly node: TaskNode;
  readonly spec: WorkerTask;
  /** Ends the task in the loop. */
  readonly cancel: AbortController;
  attempt: TaskAttempt | undefined;
  spentUsd: number;
}

/** Longest result and longest message, as JSON. */
const MAX_JSON = 1_000_000;
const LONGEST_BACKOFF_MS = 3_600_000;

/** Runs tasks with their workers, under the policy of the loop. */
export class TaskRunner {
  readonly #parts: RunnerParts;
  readonly #running = new Map<string, Running>();
  readonly #busy = new Map<string, number>();
  #stopped: unknown;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Number of tasks in progress. */
  get running(): number {
    return this.#running.size;
  }

  /** Returns how many tasks of a worker are in progress. */
  busy(worker: string): number {
    return this.#busy.get(worker) ?? 0;
  }

  /** Runs a task to its end, and stores the end. Never rejects. */
  async run(node: TaskNode, spec: WorkerTask): Promise<void> {
    const { task, journal, session } = this.#parts;
    const running: Running = { node, spec, cancel: new AbortController(), attempt: undefined, spentUsd: 0 };
    this.#running.set(node.id, running);
    const { timeoutMs, models, worker, retries, task: name = worker } = spec;
    // The run retries these itself.
    const idempotent = retries === undefined ? spec.idempotent : false;
    this.#busy.set(worker, this.busy(worker) + 1);
    const work = releasable((context: RunContext) => this.#attempt(running, context));
    const costs = releasable(() => measured(running));
    try {
      const result = await task(name, work.call, {
        ...{ signal: running.cancel.signal, isEmpty: isNeverEmpty, measure: costs.call },
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(idempotent !== undefined && { idempotent }),
        ...(models !== undefined && { models }),
        ...(session !== undefined && { session }),
      });
      // A result counts even if the run is being stopped: its effect happened.
      if (node.status === 'running') void journal.add({ kind: 'done', task: node.id, attempt: node.attempts, result });
    } catch (error) {
      if (node.endedMs === undefined && this.#stopped === undefined) this.#failOrWait(node, spec, error);
    } finally {
      this.#running.delete(node.id);
      work.release();
      costs.release();
      this.#busy.set(worker, this.busy(worker) - 1);
    }
  }

  #failOrWait(node: TaskNode, spec: WorkerTask, error: unknown): void {
    const waitMs = retryAfter(spec, node.retried, error);
    if (waitMs === undefined) {
      this.fail(node, error);
      return;
    }
    const { journal, clock } = this.#parts;
    const about = { task: node.id, attempt: node.attempts, error: textOf(error) };
    void journal.add({ kind: 'retrying', ...about, notBeforeMs: clock.now() + waitMs });
  }

  /** Stores the failure of a task. */
  fail(node: TaskNode, error: unknown): void {
    const text = textOf(error);
    // The journal stops the run if a step cannot be stored.
    void this.#parts.journal.add({ kind: 'failed', task: node.id, attempt: node.attempts, error: text });
    this.#parts.onFailed(node);
  }

  /** Ends the work of tasks that have ended otherwise: they were cancelled. */
  cancelEnded(reason: unknown): void {
    for (const { node, cancel } of this.#running.values()) if (node.endedMs !== undefined) cancel.abort(reason);
  }

  /** Stops all workers. What ends within the grace time still counts; `end` gives up the rest. */
  stop(reason: unknown): void {
    this.#stopped ??= reason ?? new Error('stopped');
    for (const { attempt } of this.#running.values()) attempt?.stop(reason);
  }

  end(): void {
    for (const { cancel } of this.#running.values()) cancel.abort(this.#stopped);
  }

  async #attempt(running: Running, context: RunContext): Promise<Json> {
    const { node, spec } = running;
    const { run, state, journal, workers } = this.#parts;
    const worker = workers[spec.worker];
    if (!worker) throw new LoopError('invalid-input', `there is no worker ${showValue(spec.worker)}`);
    const isKept = typeof worker === 'object' && worker.keepsAttempts === true && node.status === 'running';
    // An attempt that another process began, and that a machine still runs, is not a new one.
    const number = isKept && context.attempt === 1 ? node.attempts : node.attempts + 1;
    if (number > node.attempts) await journal.add({ kind: 'began', task: node.id, attempt: number });
    try {
      if (this.#stopped !== undefined) throw this.#stopped;
      const ports: AttemptPorts = {
        spend: (worst, work, measure) => this.#spend(running, worst, work, measure),
        send: (from, to, body) => this.#send(from, to, body),
        reader: (to, signal) => this.#parts.mail.reader(to, signal),
      };
      const attempt = new TaskAttempt({ run, state, ports }, node, spec, number, context);
      running.attempt = attempt;
      return asJson(await callWorker(worker, attempt), `the result of ${node.id}`);
    } catch (error) {
      // The loop must not try again what was stopped.
      if (this.#stopped !== undefined) running.cancel.abort(this.#stopped);
      throw error;
    }
  }

  #spend<Result>(
    running: Running,
    worst: WorstCase,
    work: (signal: AbortSignal) => Result | PromiseLike<Result>,
    measure: ((result: Result) => Amount) | undefined,
  ): Promise<Result> {
    const { worker, task: kind = worker } = running.spec;
    return this.#parts.supervised.spend({ kind, ...worst }, work, (result) => {
      const actual = measure?.(result) ?? worst;
      running.spentUsd += actual.usd ?? worst.usd ?? 0;
      return actual;
    });
  }

  async #send(from: string, to: string, body: Json): Promise<void> {
    const { state, journal, mail } = this.#parts;
    const target = state.tasks.get(to);
    if (!target || isGoal(target.spec) || target.endedMs !== undefined) {
      const why = target ? (isGoal(target.spec) ? 'is a goal' : 'has ended') : 'does not exist';
      throw new LoopError('invalid-input', `${from} cannot send to ${showValue(to)}: this task ${why}`);
    }
    const stored = journal.add({ kind: 'sent', from, to, body: asJson(body, `the message of ${from} to ${to}`) });
    mail.deliver(to);
    await stored;
  }
}

/** Returns the wait before the next attempt in milliseconds; undefined if there is none. */
function retryAfter({ retries }: WorkerTask, retried: number, error: unknown): number | undefined {
  if (retries === undefined || retried >= retries.limit) return undefined;
  const { category, retryable, retryAfterMs = 0 } = classifyError(error);
  const mayPass = retries.on === undefined ? retryable : retries.on.includes(category);
  if (!mayPass) return undefined;
  const { backoffMs = 1_000 } = retries;
  return Math.max(retryAfterMs, Math.min(LONGEST_BACKOFF_MS, backoffMs * 2 ** retried));
}

function textOf(error: unknown): string {
  return redact(describeThrown(error));
}

async function callWorker(worker: Worker, attempt: TaskAttempt): Promise<unknown> {
  if (typeof worker === 'function' && attempt.worst === undefined) return worker(attempt);
  const run = async (): Promise<WorkerResult> =>
    typeof worker === 'object' ? worker.run(attempt.toCall(), attempt) : { result: await worker(attempt) };
  const { worst } = attempt;
  if (worst === undefined) return (await run()).result;
  return (await attempt.spend(worst, run, ({ used }) => used ?? worst)).result;
}

/** @throws LoopError `invalid-input` for a value that JSON cannot hold, or a long one. */
function asJson(value: unknown, what: string): Json {
  if (value === undefined) return null;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new LoopError('invalid-input', `${what} is not JSON: ${describeThrown(error)}`, { cause: error });
  }
  if (text === undefined) throw new LoopError('invalid-input', `${what} is ${showValue(value)}: return JSON`);
  if (text.length <= MAX_JSON) return JSON.parse(text);
  const size = `${text.length} characters of JSON, more than ${MAX_JSON}`;
  throw new LoopError('invalid-input', `${what} has ${size}: store it in a file and return its path`);
}

function measured({ spentUsd }: Running) {
  return spentUsd > 0 ? { costUsd: spentUsd } : {};
}

/**
 * Returns a function that can be made to forget what it calls. Call contexts of the platform keep the functions of a task
 * alive as long as anything that began inside it, and with them a whole run.
 */
function releasable<Argument, Result>(work: (argument: Argument) => Result) {
  let current: ((argument: Argument) => Result) | undefined = work;
  return {
    call: (argument: Argument): Result => {
      if (current) return current(argument);
      throw new LoopError('illegal-step', 'the task has ended');
    },
    release: () => {
      current = undefined;
    },
  };
}

function isNeverEmpty(): boolean {
  return false;
}
