import type { Json, Policy, Prompts, RunContext } from 'rsi-loop';
import { hashing, mustBe, showValue } from 'rsi-loop/kit';
import type { Amount } from 'rsi-loop/oversee';
import type { RunState, TaskMessage, TaskNode } from './run-state.js';
import type { WorkerTask } from './task.js';
import type { TaskCall, TaskContext } from './worker.js';

/** Functions that an attempt needs from the run. */
export interface AttemptPorts {
  readonly spend: TaskContext['spend'];
  readonly send: (from: string, to: string, body: Json) => Promise<void>;
  /** Returns the reader of messages to this attempt. */
  readonly reader: (to: string, signal: () => AbortSignal) => (from?: string) => Promise<TaskMessage>;
}

const NO_RESULTS: Readonly<Record<string, never>> = Object.freeze({});

/** One attempt of a task, as its worker sees it. It makes what few workers read only when it is read. */
export class TaskAttempt implements TaskContext {
  readonly run: string;
  readonly id: string;
  readonly worker: string;
  readonly attempt: number;
  readonly input: Json;
  readonly results: Readonly<Record<string, Json>>;
  readonly errors: Readonly<Record<string, string>>;
  declare readonly event?: Json;
  declare readonly model?: string;
  declare readonly worst?: Amount;
  readonly #context: RunContext;
  readonly #ports: AttemptPorts;
  #stop: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;
  #receive: ((from?: string) => Promise<TaskMessage>) | undefined;

  constructor(
    { run, state, ports }: { readonly run: string; readonly state: RunState; readonly ports: AttemptPorts },
    { id }: TaskNode,
    { worker, input = null, after = [], event, worst }: WorkerTask,
    attempt: number,
    context: RunContext,
  ) {
    this.run = run;
    this.id = id;
    this.worker = worker;
    this.attempt = attempt;
    this.input = input;
    const before = after.length === 0 ? { results: NO_RESULTS, errors: NO_RESULTS } : endsOf(state, after);
    this.results = before.results;
    this.errors = before.errors;
    if (event !== undefined) this.event = state.events.get(event.name) ?? null;
    if (context.model !== undefined) this.model = context.model;
    if (worst !== undefined) this.worst = worst;
    this.#context = context;
    this.#ports = ports;
  }

  get key(): string {
    return keyOf(this.run, this.id);
  }

  get policy(): Policy {
    return this.#context.policy;
  }

  get advice(): readonly string[] {
    return this.#context.advice;
  }

  get prompts(): Prompts {
    return this.#context.prompts;
  }

  get signal(): AbortSignal {
    if (!this.#stop) {
      const { signal } = this.#context;
      this.#stop = new AbortController();
      if (this.#stopped) this.#stop.abort(this.#stopped.reason);
      else if (signal.aborted) this.#stop.abort(signal.reason);
      else signal.addEventListener('abort', () => this.#stop?.abort(signal.reason), { once: true });
    }
    return this.#stop.signal;
  }

  /** Stops the worker, while the task may still end. */
  stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#stop?.abort(reason);
  }

  // Arrow functions, so that workers can destructure them.
  readonly spend: TaskContext['spend'] = (worst, work, measure) =>
    this.#ports.spend(
      worst,
      () => {
        this.signal.throwIfAborted();
        return work(this.signal);
      },
      measure,
    );

  readonly send = (to: string, body: Json): Promise<void> => this.#ports.send(this.id, to, body);

  readonly receive = (from?: string): Promise<TaskMessage> => {
    this.#receive ??= this.#ports.reader(this.id, () => this.signal);
    return this.#receive(from);
  };

  /** Returns the attempt as plain JSON. */
  toCall(): TaskCall {
    const { run, id, worker, attempt, key, input, results, errors, policy, advice, prompts, event, model, worst } =
      this;
    return {
      ...{ run, id, worker, attempt, key, input, results, errors, policy, advice, prompts },
      ...(event !== undefined && { event }),
      ...(model !== undefined && { model }),
      ...(worst !== undefined && { worst }),
    };
  }
}

/** Returns the idempotency key of a task: letters and digits, the same in every process. */
export function keyOf(run: string, task: string): string {
  for (const [name, text] of Object.entries({ run, task }))
    mustBe(typeof text === 'string', name, showValue(text), 'a text');
  const name = JSON.stringify([run, task]);
  return hashing.hashHex(name) + hashing.hashHex(name, 1);
}

function endsOf(state: RunState, after: readonly string[]) {
  const results: Record<string, Json> = Object.create(null);
  const errors: Record<string, string> = Object.create(null);
  for (const id of after) {
    const before = state.tasks.get(id);
    if (before?.status === 'done') results[id] = before.result ?? null;
    else errors[id] = before?.error ?? 'it did not run';
  }
  return { results, errors };
}
