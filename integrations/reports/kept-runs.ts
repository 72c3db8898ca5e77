import { randomUUID } from 'node:crypto';
import { LoopError } from 'rsi-loop';
import {
  type CancelRequest,
  type EventRequest,
  RunState,
  type RunStatus,
  type RunStore,
  type TaskNode,
} from 'rsi-loop/orchestrate';

/** Run of orchestrated tasks, as its steps say. */
export interface KeptRun {
  readonly id: string;
  readonly state: RunState;
  /** `running` only while a process has the run. */
  readonly status: RunStatus;
  /** Epoch milliseconds of the first and the last step. */
  readonly beganMs: number;
  readonly changedMs: number;
}

/** Place where runs are kept by other processes. */
export interface RunPlace {
  /** Name of the place for people. */
  readonly name: string;
  /** Returns the ids of all runs, each with a text that differs once the run has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** Returns whether a living process has the run. */
  isRunning(id: string): Promise<boolean>;
  open(): Pick<RunStore, 'load' | 'add' | 'claim' | 'request' | 'close'>;
}

/** Decision of a person to end a run, or one of its tasks. */
export interface Cancellation {
  readonly id: string;
  readonly task?: string;
  readonly by: string;
  readonly reason: string;
}

/** Event for a run, from a person or a program. */
export interface Sending extends Omit<EventRequest, 'id'> {
  readonly id: string;
}

/** Reads runs beside the processes that have them. A run that did not change is not read again. */
export class KeptRuns {
  readonly #place: RunPlace;
  readonly #read = new Map<string, { readonly version: string; readonly run: Omit<KeptRun, 'status'> }>();

  constructor(place: RunPlace) {
    this.#place = place;
  }

  get name(): string {
    return this.#place.name;
  }

  async ids(): Promise<readonly string[]> {
    return [...(await this.#place.versions()).keys()];
  }

  /** Returns all runs. The one that changed last comes first. */
  async list(): Promise<readonly KeptRun[]> {
    const versions = await this.#place.versions();
    for (const id of this.#read.keys()) if (!versions.has(id)) this.#read.delete(id);
    const found: KeptRun[] = [];
    for (const [id, version] of versions) found.push(await this.#load(id, version));
    return found.sort((a, b) => b.changedMs - a.changedMs);
  }

  /** Returns a run; undefined if there is none. */
  async find(id: string): Promise<KeptRun | undefined> {
    const version = (await this.#place.versions()).get(id);
    return version === undefined ? undefined : this.#load(id, version);
  }

  /** Returns a text that differs once a run was added or has changed, or its process was killed. */
  async version(): Promise<string> {
    const versions = await this.#place.versions();
    const open = [...this.#read.values()].flatMap(({ run }) => (run.state.status === 'running' ? [run.id] : []));
    const running = await Promise.all(open.map((id) => this.#place.isRunning(id)));
    return JSON.stringify([...versions, running]);
  }

  /**
   * Cancels a run or one of its tasks: by a request to the process that has the run or takes it next. A stopped run is ended
   * here. Returns the request.
   * @throws LoopError `invalid-input` if there is no such run or task, `illegal-step` if it has ended.
   */
  async cancel({ id, task, by, reason }: Cancellation): Promise<CancelRequest> {
    const run = await this.find(id);
    if (!run) throw new LoopError('invalid-input', `there is no run ${JSON.stringify(id)} in ${this.name}`);
    mustBeOpen(run, task);
    const request = { id: randomUUID(), by, reason, ...(task !== undefined && { task }) };
    const store = this.#place.open();
    try {
      if (run.status === 'running' || task !== undefined) await store.request(id, request);
      else await endHere(store, id, request);
    } finally {
      await store.close();
    }
    return request;
  }

  /**
   * Sends an event to a run: to the process that has it, or to the one that takes it next. Returns the request.
   * @throws LoopError `invalid-input` if there is no such run, `illegal-step` if it has ended.
   */
  async send({ id, event, body, by }: Sending): Promise<EventRequest> {
    const run = await this.find(id);
    if (!run) throw new LoopError('invalid-input', `there is no run ${JSON.stringify(id)} in ${this.name}`);
    if (!isOpen(run)) throw new LoopError('illegal-step', `run ${id} has ended (${run.status}): nothing waits in it`);
    const request = { id: randomUUID(), event, body, by };
    const store = this.#place.open();
    await store.request(id, request).finally(() => store.close());
    return request;
  }

  async #load(id: string, version: string): Promise<KeptRun> {
    let run = this.#read.get(id);
    if (run?.version !== version) {
      const store = this.#place.open();
      const steps = await store.load(id).finally(() => store.close());
      const times = { beganMs: steps[0]?.atMs ?? 0, changedMs: steps.at(-1)?.atMs ?? 0 };
      run = { version, run: { id, state: new RunState(steps), ...times } };
      this.#read.set(id, run);
    }
    const { status } = run.run.state;
    const isKilled = status === 'running' && !(await this.#place.isRunning(id));
    return { ...run.run, status: isKilled ? 'stopped' : status };
  }
}

/** Returns the tasks that failed, then those in progress, then the others in the order of the plan. */
export function urgentFirst({ tasks }: RunState): readonly TaskNode[] {
  return [...tasks.values()].sort((a, b) => rankOf(a) - rankOf(b) || a.index - b.index);
}

/** Whether a run can be cancelled. */
export function isOpen({ status }: Pick<KeptRun, 'status'>): boolean {
  return status === 'running' || status === 'stopped';
}

function mustBeOpen(run: KeptRun, task: string | undefined): void {
  const { id, status, state } = run;
  if (!isOpen(run)) throw new LoopError('illegal-step', `run ${id} has ended (${status}): there is nothing to cancel`);
  if (task === undefined) return;
  const node = state.tasks.get(task);
  if (!node) throw new LoopError('invalid-input', `run ${id} has no task "${task}": "runs show ${id}" lists them`);
  if (node.endedMs !== undefined)
    throw new LoopError(
      'illegal-step',
      `task ${task} of run ${id} has ended (${node.status}): there is nothing to cancel`,
    );
}

const RANKS: Readonly<Partial<Record<TaskNode['status'], number>>> = { failed: 0, running: 1 };

function rankOf({ status }: TaskNode): number {
  return RANKS[status] ?? 2;
}

async function endHere(store: Pick<RunStore, 'add' | 'claim'>, id: string, request: CancelRequest): Promise<void> {
  const claim = await store.claim(id);
  try {
    const { by, reason } = request;
    const atMs = Date.now();
    await store.add(id, { kind: 'cancelled', by, reason, request: request.id, atMs });
    await store.add(id, { kind: 'ended', status: 'cancelled', why: `cancelled by ${by}: ${reason}`, atMs });
  } finally {
    await claim.release();
  }
}
