import type { RSILoop } from 'rsi-loop';
import { LoopError, redact } from 'rsi-loop';
import { messageOf } from 'rsi-loop/kit';
import type { Supervised } from 'rsi-loop/oversee';
import { checkTasks } from './check-tasks.js';
import type { PlanLimits, PlannedState, Planner, PlanRequest } from './plan.js';
import type { RunJournal } from './run-journal.js';
import type { RunState, TaskNode } from './run-state.js';
import { isGoal, type TaskSpec } from './task.js';

export interface PlanParts {
  readonly name: string;
  readonly task: RSILoop['run'];
  readonly state: RunState;
  readonly journal: RunJournal;
  readonly workers: readonly string[];
  readonly planner: Planner;
  readonly limits: Required<PlanLimits>;
  readonly supervised: Pick<Supervised, 'spend' | 'signal'>;
}

/** Asks the planner, checks its plans and stores them. A plan that is not valid never runs. */
export class PlanWork {
  readonly #parts: PlanParts;

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /** Plans the whole run. Rejects with the problem if there is no plan. */
  async begin(): Promise<void> {
    const tasks = await this.#ask({ depth: 0, prefix: '' });
    await this.#parts.journal.add({ kind: 'planned', tasks });
  }

  /** Divides a goal. A goal without a plan fails. */
  async divide(node: TaskNode, goal: string): Promise<void> {
    const { journal, supervised } = this.#parts;
    const attempt = node.attempts + 1;
    await journal.add({ kind: 'began', task: node.id, attempt });
    try {
      const tasks = await this.#ask({ goal, depth: node.depth + 1, prefix: `${node.id}/` });
      if (node.endedMs === undefined) await journal.add({ kind: 'planned', for: node.id, tasks });
    } catch (error) {
      if (supervised.signal.aborted || node.endedMs !== undefined) return;
      const problem = redact(messageOf(error));
      await journal.add({ kind: 'failed', task: node.id, attempt, error: `it could not be planned: ${problem}` });
    }
  }

  /** Whether the planner is asked what replaces a failed task. */
  mayReplace(node: TaskNode): boolean {
    const { state, limits } = this.#parts;
    return !state.answers.has(node.id) && state.plans < limits.plans && !isGoal(node.spec);
  }

  /** Asks what replaces a failed task and those that wait for it. Without an answer, they are skipped. */
  async replace(node: TaskNode): Promise<void> {
    const { state, journal, supervised } = this.#parts;
    const replaced = waitingFor(node);
    const { id: about } = node;
    const parent = node.parent === undefined ? '' : `${node.parent}/`;
    try {
      const tasks = await this.#ask({ failed: node, replaced, depth: node.depth, prefix: parent });
      // Meanwhile some may have been cancelled.
      const open = [...replaced].filter((id) => state.tasks.get(id)?.endedMs === undefined || id === about);
      const replaces = tasks.length > 0 ? open : [];
      await journal.add({ kind: 'planned', for: about, tasks, replaces });
    } catch (error) {
      if (supervised.signal.aborted) return;
      await journal.add({ kind: 'planned', for: about, tasks: [], problem: redact(messageOf(error)) });
    }
  }

  async #ask(about: {
    readonly goal?: string;
    readonly failed?: TaskNode;
    readonly replaced?: ReadonlySet<string>;
    readonly depth: number;
    readonly prefix: string;
  }): Promise<readonly TaskSpec[]> {
    const { name, task, planner, limits, supervised, state, workers } = this.#parts;
    const { signal, spend } = supervised;
    const { goal, failed, replaced, depth, prefix } = about;
    if (depth > limits.depth)
      throw new LoopError('invalid-input', `${depth} goals lie inside each other: planLimits.depth is ${limits.depth}`);
    const request: PlanRequest = {
      tasks: [...state.tasks.values()].filter(({ id }) => !replaced?.has(id)).map(stateOf),
      ...{ workers, maxTasks: limits.tasks - state.planned, mayNest: depth < limits.depth, signal, spend },
      ...(goal !== undefined && { goal }),
      ...(failed && { failed: stateOf(failed) }),
      check: (tasks) => this.#check(tasks, about),
    };
    return task(
      `${name}.plan`,
      async () => {
        const tasks = await planner(request);
        this.#check(tasks, about);
        const own = new Set(tasks.map(({ id }) => id));
        return tasks.map((spec) => renamed(spec, prefix, own));
      },
      { signal, isEmpty: () => false },
    );
  }

  #check(tasks: unknown, { depth, prefix }: { readonly depth: number; readonly prefix: string }): void {
    const { state, limits, workers } = this.#parts;
    const left = limits.tasks - state.planned;
    if (Array.isArray(tasks) && tasks.length > left) {
      const problem = `the plan has ${tasks.length} tasks, and ${left} of ${limits.tasks} are left`;
      throw new LoopError('invalid-input', `${problem}: plan fewer, or raise planLimits.tasks`);
    }
    // A task that waits may wait for the goal itself.
    const mayFollow = (id: string) => {
      const before = state.tasks.get(id);
      return before?.status === 'done' || (before?.status === 'running' && !isGoal(before.spec));
    };
    const isTaken = (id: string) => state.tasks.has(`${prefix}${id}`);
    checkTasks(tasks, { workers, hasPlanner: true, isTaken, mayFollow });
    const goal = tasks.find((spec) => isGoal(spec));
    if (goal && depth >= limits.depth) {
      const problem = `task ${JSON.stringify(goal.id)} is a goal at depth ${depth + 1}`;
      throw new LoopError('invalid-input', `${problem}: use workers, or raise planLimits.depth`);
    }
  }
}

/** Returns the ids of a task and of all tasks that cannot run without its success. */
function waitingFor(node: TaskNode): ReadonlySet<string> {
  const found = new Set([node.id]);
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const dependent of next.dependents) {
      if (found.has(dependent.id) || dependent.status !== 'waiting' || dependent.spec.afterFailure === 'run') continue;
      found.add(dependent.id);
      open.push(dependent);
    }
  }
  return found;
}

/** Returns a planned task with the prefix of its goal, also where other tasks of the plan name it. */
function renamed(spec: TaskSpec, prefix: string, own: ReadonlySet<string>): TaskSpec {
  if (prefix === '') return spec;
  const after = spec.after?.map((id) => (own.has(id) ? `${prefix}${id}` : id));
  return { ...spec, id: `${prefix}${spec.id}`, ...(after && { after }) };
}

function stateOf({ id, spec, status, result, error }: TaskNode): PlannedState {
  return {
    ...{ id, does: isGoal(spec) ? spec.goal : spec.worker, status },
    ...(result !== undefined && { result }),
    ...(error !== undefined && { error }),
  };
}
