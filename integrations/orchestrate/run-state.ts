import type { Json } from 'rsi-loop';
import { addTo } from 'rsi-loop/kit';
import type { RunStatus, RunStep } from './run-step.js';
import { isGoal, type TaskSpec, type TaskState, type TaskStatus } from './task.js';

/** Task of a run with its place in the graph. */
export interface TaskNode extends TaskState {
  readonly id: string;
  readonly index: number;
  readonly priority: number;
  /** Number of goals around it. */
  readonly depth: number;
  /** Parts of a goal, with those of earlier plans. */
  readonly parts: readonly TaskNode[];
  /** Tasks that come after it. */
  readonly dependents: readonly TaskNode[];
}

/** Message that a task got. */
export interface TaskMessage {
  readonly from: string;
  readonly body: Json;
}

/** Parts of a run that a step made due. */
export interface DueTasks {
  /** Every task before it has ended, in a way that lets it run. */
  readonly ready: TaskNode[];
  /** Waits for a task that did not succeed. */
  readonly broken: { readonly node: TaskNode; readonly because: string }[];
  /** Goals whose parts have all ended. */
  readonly complete: TaskNode[];
}

type Draft = {
  -readonly [Name in keyof TaskNode]: TaskNode[Name] extends readonly (infer Item)[] ? Item[] : TaskNode[Name];
} & {
  /** Tasks before it that have not ended. */
  waitsFor: number;
  openParts: number;
};

/** State of a run: the sum of its steps. The same steps give the same state in every process. */
export class RunState {
  name = '';
  status: RunStatus = 'running';
  /** Why the run was stopped or cancelled. */
  why: string | undefined;
  /** Number of plans, without that of the whole run. */
  plans = 0;
  /** Number of tasks that a planner added. */
  planned = 0;
  /** Answers of the planner, by the goal or failed task that they are for; `''` for the whole run. */
  readonly answers = new Set<string>();
  readonly messages = new Map<string, TaskMessage[]>();
  readonly due: DueTasks = { ready: [], broken: [], complete: [] };
  /** Events that came from outside, by name. */
  readonly events = new Map<string, Json>();
  /** Ids of the requests that were carried out. */
  readonly requests = new Set<string>();
  readonly #tasks = new Map<string, Draft>();
  readonly #counts: Record<TaskStatus, number> = {
    ...{ waiting: 0, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0, replaced: 0 },
  };

  constructor(steps: readonly RunStep[] = []) {
    for (const step of steps) this.apply(step);
  }

  get tasks(): ReadonlyMap<string, TaskNode> {
    return this.#tasks;
  }

  get counts(): Readonly<Record<TaskStatus, number>> {
    return this.#counts;
  }

  /** Whether a task waits or runs. */
  get isOpen(): boolean {
    return this.#counts.waiting + this.#counts.running > 0;
  }

  /** Whether the run has ended: it cannot be continued, only retried. */
  get hasEnded(): boolean {
    return this.status !== 'running' && this.status !== 'stopped';
  }

  /** Status if nothing more happens. */
  get statusAtEnd(): Exclude<RunStatus, 'running'> {
    if (this.isOpen) return 'stopped';
    return this.#counts.failed > 0 ? 'failed' : this.#counts.cancelled > 0 ? 'cancelled' : 'done';
  }

  apply(step: RunStep): void {
    switch (step.kind) {
      case 'started':
        this.name = step.name;
        this.#add(step.tasks, undefined, step.atMs);
        break;
      case 'retried':
        this.#retry(step.atMs);
        break;
      case 'resumed':
        this.status = 'running';
        this.why = undefined;
        break;
      case 'planned':
        this.#plan(step);
        break;
      case 'began':
        this.#begin(step.task, step.attempt, step.atMs);
        break;
      case 'retrying':
        this.#waitAgain(step);
        break;
      case 'done':
      case 'failed':
      case 'skipped':
        this.#endOf(step);
        break;
      case 'cancelled':
        this.#cancel(step);
        break;
      case 'event':
        if (step.request !== undefined) this.requests.add(step.request);
        if (!this.events.has(step.name)) this.events.set(step.name, step.body);
        break;
      case 'sent':
        this.#deliver(step);
        break;
      case 'ended':
        this.status = step.status;
        this.why = step.why;
        break;
      default:
        step satisfies never;
    }
  }

  #add(specs: readonly TaskSpec[], parent: Draft | undefined, atMs: number, endsParent = false): void {
    const added = specs.map((spec) => {
      const { id, priority = 0 } = spec;
      const node: Draft = {
        ...{ id, spec, priority, index: this.#tasks.size, depth: parent ? parent.depth + 1 : 0 },
        ...{ status: 'waiting', attempts: 0, parts: [], dependents: [], waitsFor: 0, openParts: 0 },
        ...{ retried: 0, notBeforeMs: undefined, readyMs: undefined },
        ...{ parent: parent?.id, result: undefined, error: undefined, beganMs: undefined, endedMs: undefined },
      };
      this.#tasks.set(id, node);
      this.#counts.waiting++;
      parent?.parts.push(node);
      if (parent) parent.openParts++;
      return node;
    });
    for (const node of added) this.#connect(node, atMs);
    // A goal that got no parts is complete.
    if (parent && parent.openParts === 0 && endsParent) this.due.complete.push(parent);
  }

  #connect(node: Draft, atMs: number): void {
    let because: string | undefined;
    for (const id of new Set(node.spec.after)) {
      const before = this.#tasks.get(id);
      if (!before) continue; // checked before the step was stored
      before.dependents.push(node);
      if (before.endedMs === undefined) node.waitsFor++;
      else if (before.status !== 'done') because ??= id;
    }
    if (because !== undefined && node.spec.afterFailure !== 'run') this.due.broken.push({ node, because });
    else if (node.waitsFor === 0) this.#makeReady(node, atMs);
  }

  #makeReady(node: Draft, atMs: number): void {
    node.readyMs = atMs;
    if (!isGoal(node.spec) && node.spec.delayMs !== undefined) node.notBeforeMs = atMs + node.spec.delayMs;
    this.due.ready.push(node);
  }

  #plan(step: Extract<RunStep, { kind: 'planned' }>): void {
    const { for: about = '', tasks, replaces = [] } = step;
    this.answers.add(about);
    if (about !== '') this.plans++;
    this.planned += tasks.length;
    const node = this.#tasks.get(about);
    const goal = node && isGoal(node.spec) && node.status === 'running';
    const parent = goal ? node : this.#tasks.get(node?.parent ?? '');
    if (!goal && tasks.length === 0) return;
    this.#add(tasks, parent, step.atMs, goal);
    for (const id of replaces) {
      const replaced = this.#tasks.get(id);
      if (!replaced) continue;
      replaced.error ??= `replaced after the failure of ${about}`;
      if (replaced.endedMs === undefined) this.#end(replaced, 'replaced', step.atMs);
      else this.#move(replaced, 'replaced');
    }
  }

  #begin(id: string, attempt: number, atMs: number): void {
    const node = this.#tasks.get(id);
    if (!node || node.endedMs !== undefined) return;
    this.#move(node, 'running');
    node.attempts = attempt;
    node.beganMs = atMs;
  }

  #waitAgain({ task, error, notBeforeMs }: Extract<RunStep, { kind: 'retrying' }>): void {
    const node = this.#tasks.get(task);
    if (!node || node.endedMs !== undefined) return;
    this.#move(node, 'waiting');
    Object.assign(node, { error, notBeforeMs, retried: node.retried + 1 });
    this.due.ready.push(node);
  }

  /** Opens the tasks that failed or were skipped again, and the goals around them. What is done stays done. */
  #retry(atMs: number): void {
    this.status = 'running';
    this.why = undefined;
    for (const list of Object.values(this.due)) list.length = 0;
    const again = [...this.#tasks.values()].filter(({ status }) => status === 'failed' || status === 'skipped');
    for (const node of again) {
      this.#move(node, node.parts.length > 0 ? 'running' : 'waiting');
      Object.assign(node, { error: undefined, endedMs: undefined, notBeforeMs: undefined, retried: 0 });
    }
    for (const node of again) {
      node.openParts = node.parts.filter(({ endedMs }) => endedMs === undefined).length;
      const before = [...new Set(node.spec.after)].map((id) => this.#tasks.get(id));
      node.waitsFor = before.filter((one) => one && one.endedMs === undefined).length;
      if (node.waitsFor === 0 && node.parts.length === 0) {
        node.readyMs = atMs;
        this.due.ready.push(node);
      }
    }
  }

  #endOf(step: Extract<RunStep, { kind: 'done' | 'failed' | 'skipped' }>): void {
    const node = this.#tasks.get(step.task);
    if (!node || node.endedMs !== undefined) return;
    if (step.kind === 'done') {
      node.result = step.result;
      node.error = undefined; // that of an attempt before
    } else if (step.kind === 'failed') node.error = step.error;
    else node.error = `${step.because} did not succeed`;
    this.#end(node, step.kind, step.atMs);
  }

  #cancel({ task, by, reason, request, atMs }: Extract<RunStep, { kind: 'cancelled' }>): void {
    if (request !== undefined) this.requests.add(request);
    const error = `cancelled by ${by}: ${reason}`;
    const end = (node: Draft) => {
      if (node.endedMs !== undefined) return;
      node.error = error;
      this.#end(node, 'cancelled', atMs);
      for (const part of node.parts) end(part as Draft); // every node of the map is a draft
    };
    if (task === undefined) {
      this.why = error;
      for (const node of this.#tasks.values()) end(node);
    } else {
      const node = this.#tasks.get(task);
      if (node) end(node);
    }
  }

  #deliver({ from, to, body }: Extract<RunStep, { kind: 'sent' }>): void {
    addTo(this.messages, to, { from, body });
  }

  #end(node: Draft, status: TaskStatus, atMs: number): void {
    this.#move(node, status);
    node.endedMs = atMs;
    this.messages.delete(node.id);
    for (const dependent of node.dependents as Draft[]) {
      if (dependent.endedMs !== undefined) continue;
      dependent.waitsFor--;
      if (status !== 'done' && dependent.spec.afterFailure !== 'run')
        this.due.broken.push({ node: dependent, because: node.id });
      else if (dependent.waitsFor === 0) this.#makeReady(dependent, atMs);
    }
    const parent = this.#tasks.get(node.parent ?? '');
    if (!parent || --parent.openParts > 0 || parent.endedMs !== undefined) return;
    this.due.complete.push(parent);
  }

  #move(node: Draft, status: TaskStatus): void {
    this.#counts[node.status]--;
    this.#counts[status]++;
    node.status = status;
  }
}
