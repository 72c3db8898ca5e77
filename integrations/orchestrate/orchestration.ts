import type { RSILoop } from 'rsi-loop';
import { type Clock, type Json, LoopError } from 'rsi-loop';
import { messageOf } from 'rsi-loop/kit';
import type { Supervised } from 'rsi-loop/oversee';
import { AwaitedEvents } from './awaited-events.js';
import { checkTasks } from './check-tasks.js';
import { goalEnd } from './goal-end.js';
import { Mailboxes } from './mailboxes.js';
import type { OrchestrateSettings } from './orchestrate-options.js';
import { PlanWork } from './plan-work.js';
import { ReadyTasks } from './ready-tasks.js';
import { RequestWatch } from './request-watch.js';
import { RunJournal } from './run-journal.js';
import type { RunState, TaskNode } from './run-state.js';
import type { RunRequest, RunStatus } from './run-step.js';
import { isGoal, type WorkerTask } from './task.js';
import { TaskRunner } from './task-runner.js';

export interface OrchestrationParts {
  readonly settings: OrchestrateSettings;
  readonly task: RSILoop['run'];
  readonly clock: Clock;
  readonly supervised: Supervised;
}

/** After this time, running tasks that all wait for messages get none. */
const DEADLOCK_MS = 5_000;

/** One run in this process: starts ready tasks in their order, until all have ended or the run is stopped. */
export class Orchestration {
  readonly #state: RunState;
  readonly #parts: OrchestrationParts;
  readonly #journal: RunJournal;
  readonly #mail: Mailboxes;
  readonly #runner: TaskRunner;
  readonly #plans: PlanWork | undefined;
  readonly #ready = new ReadyTasks();
  readonly #requests: RequestWatch;
  readonly #inProgress = new Set<Promise<void>>();
  /** Timers of tasks whose time to begin has not come. */
  readonly #later = new Map<TaskNode, () => void>();
  readonly #events: AwaitedEvents;
  /** Questions to the planner in progress, and those about failed tasks. */
  #planning = 0;
  #replacing = 0;
  #cancelDeadlockTimer: (() => void) | undefined;
  #lost: unknown;
  #isBegun = false;
  #resolve: () => void = () => undefined;
  /** Ends when there is nothing more to do, now or later. */
  readonly #idle = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  constructor(parts: OrchestrationParts, state: RunState) {
    const { settings, clock, task, supervised } = parts;
    const { id: run, store, workers, session, onStep } = settings;
    this.#parts = parts;
    this.#state = state;
    const onLost = (error: unknown) => {
      this.#lost = error;
      this.#runner.stop(error);
      this.#runner.end();
      this.#resolve();
    };
    const take = (request: RunRequest) => this.#takeRequest(request);
    this.#requests = new RequestWatch(run, { store, clock }, take, () => this.#events.size > 0);
    this.#events = new AwaitedEvents(clock, (node, error) => {
      this.#runner.fail(node, error);
      this.#advance();
    });
    this.#journal = new RunJournal({ run, store, clock, state, onStep, onLost });
    this.#mail = new Mailboxes(state, () => this.#lookForDeadlock());
    const shared = { task, state, clock, journal: this.#journal, supervised };
    const onFailed = (node: TaskNode) => this.#mayReplace(node);
    this.#runner = new TaskRunner({ ...shared, run, mail: this.#mail, workers, session, onFailed });
    const { plan: planner, planLimits: limits, name } = settings;
    this.#plans = planner && new PlanWork({ ...shared, name, planner, limits, workers: Object.keys(workers) });
  }

  /** Runs the tasks to the end. Rejects if the store fails, or the run could not be planned. */
  async run(): Promise<Exclude<RunStatus, 'running'>> {
    const { supervised, clock, settings } = this.#parts;
    const { signal } = supervised;
    const stop = () => this.#stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#requests.start();
    try {
      await this.#begin();
      this.#isBegun = true;
      this.#advance();
      await this.#idle;
      if (this.#lost === undefined) await this.#drain(clock, settings.graceMs);
      if (this.#lost !== undefined) throw this.#lost;
      const status = this.#state.statusAtEnd;
      const why = signal.aborted ? messageOf(signal.reason) : this.#state.why;
      await this.#journal.add({ kind: 'ended', status, ...(why !== undefined && { why }) });
      return status;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#requests.close();
      this.#cancelDeadlockTimer?.();
      for (const cancel of this.#later.values()) cancel();
      this.#events.close();
    }
  }

  /** Cancels a task with its parts or, without `task`, the whole run. */
  async cancel(task: string | undefined, by: string, reason: string, request?: string): Promise<void> {
    if (task !== undefined && !this.#state.tasks.has(task))
      throw new LoopError('invalid-input', `there is no task ${JSON.stringify(task)} in this run`);
    const about = { ...(task !== undefined && { task }), ...(request !== undefined && { request }) };
    const stored = this.#journal.add({ kind: 'cancelled', ...about, by, reason });
    const error = new LoopError('stopped', `cancelled by ${by}: ${reason}`);
    this.#runner.cancelEnded(error);
    this.#advance();
    await stored;
  }

  /** Stores an event from outside, and begins the tasks that waited for it. */
  async emit(name: string, body: Json, by: string, request?: string): Promise<void> {
    const about = request === undefined ? {} : { request };
    const stored = this.#journal.add({ kind: 'event', name, body, by, ...about });
    this.#state.due.ready.push(...this.#events.take(name));
    this.#advance();
    await stored;
  }

  /** Stores the plan of a new run, or takes up what an earlier process left. */
  async #begin(): Promise<void> {
    const { tasks, plan, name, workers } = this.#parts.settings;
    const isNew = this.#state.name === '';
    if (isNew) {
      checkTasks(tasks, { workers: Object.keys(workers), hasPlanner: plan !== undefined });
      await this.#journal.add({ kind: 'started', name, tasks });
    } else await this.#journal.add({ kind: this.#state.hasEnded ? 'retried' : 'resumed' });
    if (this.#plans && this.#state.tasks.size === 0 && !this.#state.answers.has('')) await this.#planAll(this.#plans);
    if (isNew) return;
    await this.#requests.look();
    for (const node of this.#state.tasks.values()) {
      if (node.status === 'running') this.#resume(node);
      else if (node.status === 'failed') this.#mayReplace(node);
    }
  }

  async #planAll(plans: PlanWork): Promise<void> {
    try {
      await plans.begin();
    } catch (error) {
      const why = `it could not be planned: ${messageOf(error)}`;
      await this.#journal.add({ kind: 'ended', status: 'stopped', why });
      throw error;
    }
  }

  /** Takes up a task that an earlier process had begun. */
  #resume(node: TaskNode): void {
    const { spec } = node;
    if (isGoal(spec)) {
      if (node.parts.length === 0 && !this.#state.answers.has(node.id))
        this.#ask(() => this.#plans?.divide(node, spec.goal));
      return;
    }
    const worker = this.#parts.settings.workers[spec.worker];
    const isKept = typeof worker === 'object' && worker.keepsAttempts === true;
    if (spec.idempotent !== false || isKept) this.#ready.add(spec.worker, node);
    else {
      const message = `a killed process had begun it, and it must not run twice (idempotent: false): check whether its effect happened`;
      this.#runner.fail(node, new LoopError('illegal-step', message));
    }
  }

  /** Does everything that the last steps made due, and starts tasks while there are free workers. */
  #advance(): void {
    if (!this.#isBegun) return;
    if (this.#parts.supervised.signal.aborted || this.#lost !== undefined) {
      if (this.#runner.running === 0) this.#resolve();
      return;
    }
    for (const [node, cancel] of this.#later) {
      if (node.endedMs === undefined) continue;
      cancel(); // it was cancelled while it waited
      this.#later.delete(node);
    }
    this.#events.prune();
    while (this.#doNext());
    for (let next = this.#next(); next; next = this.#next()) this.#start(next);
    if (this.#runner.running === 0 && this.#planning === 0 && this.#later.size + this.#events.size === 0)
      this.#resolve();
    else if (this.#mail.waiting > 0) this.#lookForDeadlock();
  }

  /** Carries out what the last steps made due, and returns whether there was anything. */
  #doNext(): boolean {
    const { complete, broken, ready } = this.#state.due;
    const node = complete.pop();
    if (node) this.#complete(node);
    else if (broken.length > 0 && this.#replacing === 0) this.#skip();
    else if (ready.length > 0) this.#enqueue();
    else return false;
    return true;
  }

  #skip(): void {
    const { broken } = this.#state.due;
    for (const { node, because } of broken.splice(0)) {
      if (node.status === 'waiting') void this.#add({ kind: 'skipped', task: node.id, because });
    }
  }

  #enqueue(): void {
    // The steps of an earlier process may have made a task ready more than once.
    for (const node of new Set(this.#state.due.ready.splice(0))) {
      const { spec, notBeforeMs = 0 } = node;
      if (node.status !== 'waiting') continue;
      const waitMs = notBeforeMs - this.#parts.clock.now();
      if (isGoal(spec)) this.#ask(() => this.#plans?.divide(node, spec.goal));
      else if (spec.event && !this.#state.events.has(spec.event.name)) {
        this.#events.add(node, spec.event);
        this.#requests.renew();
      } else if (waitMs > 0) this.#addLater(spec.worker, node, waitMs);
      else this.#ready.add(spec.worker, node);
    }
  }

  #addLater(worker: string, node: TaskNode, waitMs: number): void {
    const add = () => {
      this.#later.delete(node);
      this.#ready.add(worker, node);
      this.#advance();
    };
    this.#later.set(node, this.#parts.clock.after(waitMs, add));
  }

  /** Ends a goal whose parts have ended. */
  #complete(node: TaskNode): void {
    // While a planner is asked, parts may be added.
    if (node.status !== 'running' || this.#replacing > 0) return;
    if (node.parts.some(({ endedMs }) => endedMs === undefined)) return;
    void this.#add(goalEnd(node));
  }

  /** Returns the first ready task that a worker is free for. */
  #next(): TaskNode | undefined {
    const { concurrency, workers } = this.#parts.settings;
    if (this.#runner.running >= concurrency) return undefined;
    return this.#ready.take((name) => {
      const worker = workers[name];
      return typeof worker !== 'object' || this.#runner.busy(name) < worker.count;
    });
  }

  #start(node: TaskNode): void {
    const spec = node.spec as WorkerTask; // goals are in no queue
    const done = this.#runner.run(node, spec).then(() => {
      this.#inProgress.delete(done);
      this.#advance();
    });
    this.#inProgress.add(done);
  }

  #mayReplace(node: TaskNode): void {
    if (!this.#plans?.mayReplace(node)) return;
    this.#replacing++;
    this.#ask(async () => {
      await this.#plans?.replace(node);
      this.#replacing--;
      this.#completeParents();
    });
  }

  /** Goals whose parts ended while the planner was asked. */
  #completeParents(): void {
    for (const node of this.#state.tasks.values()) {
      if (node.status === 'running' && isGoal(node.spec) && node.parts.length > 0) this.#state.due.complete.push(node);
    }
  }

  #ask(question: () => Promise<void> | undefined): void {
    this.#planning++;
    const done = () => {
      this.#planning--;
      this.#advance();
    };
    // The journal stops the run if a step is not stored.
    const asked = Promise.resolve(question())
      .catch(() => undefined)
      .then(() => {
        this.#inProgress.delete(asked);
        done();
      });
    this.#inProgress.add(asked);
  }

  /** Ends waits for messages if all running tasks have waited for one for some time. */
  #lookForDeadlock(): void {
    this.#cancelDeadlockTimer?.();
    const look = () => {
      const { running } = this.#runner;
      if (running > 0 && this.#planning === 0 && this.#mail.waiting === running) this.#mail.rejectAll();
    };
    this.#cancelDeadlockTimer = this.#parts.clock.after(DEADLOCK_MS, look, { background: true });
  }

  #stop(): void {
    this.#runner.stop(this.#parts.supervised.signal.reason);
    this.#advance();
    this.#resolve();
  }

  /** Waits for stopped workers until the grace time is over, and for every step to be stored. */
  async #drain(clock: Clock, graceMs: number): Promise<void> {
    const cancel = clock.after(graceMs, () => this.#runner.end(), { background: true });
    await Promise.all(this.#inProgress);
    cancel();
    await this.#journal.flush();
  }

  #add(step: Parameters<RunJournal['add']>[0]): Promise<void> {
    return this.#journal.add(step).catch(() => undefined); // see `onLost`
  }

  async #takeRequest(request: RunRequest): Promise<void> {
    const { id, by } = request;
    if (this.#state.requests.has(id)) return;
    if ('event' in request) await this.emit(request.event, request.body, by, id);
    else if (request.task === undefined || this.#state.tasks.has(request.task))
      await this.cancel(request.task, by, request.reason, id);
  }
}
