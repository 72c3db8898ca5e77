import { ERROR_CATEGORIES, LoopError } from 'rsi-loop';
import { isObject, nearestName, showValue } from 'rsi-loop/kit';
import { checkAmount } from 'rsi-loop/oversee';
import { findCycle } from './find-cycle.js';
import { isGoal, type TaskSpec, type WorkerTask } from './task.js';

/** Names that tasks may refer to. */
export interface KnownNames {
  readonly workers: readonly string[];
  /** Whether goals can be planned. */
  readonly hasPlanner: boolean;
  /** Whether the run has a task of this id already. Default: no. */
  readonly isTaken?: (id: string) => boolean;
  /** Whether a new task may come after this one of the run. Default: none may. */
  readonly mayFollow?: (id: string) => boolean;
}

const MAX_ID = 200;
const CLASSES: ReadonlySet<string> = new Set(ERROR_CATEGORIES);

/**
 * Checks a plan before any of its tasks runs: ids, workers, dependencies, numbers, and that no task waits for itself.
 * @throws LoopError `invalid-input` naming the task; for a cycle, all of its tasks in order.
 */
export function checkTasks(given: unknown, known: KnownNames): asserts given is readonly TaskSpec[] {
  if (!Array.isArray(given)) throw invalid(`the tasks are ${showValue(given)}: give a list`);
  const byId = new Map<string, TaskSpec>();
  for (const [index, spec] of given.entries()) {
    const checked = checkTask(spec, index, known);
    if (byId.has(checked.id) || known.isTaken?.(checked.id))
      throw invalid(`two tasks have the id ${showValue(checked.id)}: rename one`);
    byId.set(checked.id, checked);
  }
  for (const task of byId.values()) checkDependencies(task, byId, known);
  const cycle = findCycle(byId);
  if (cycle) throw invalid(`tasks wait for each other: ${cycle.map((id) => showValue(id)).join(' after ')}`);
}

function checkDependencies(
  { id, after = [] }: TaskSpec,
  tasks: ReadonlyMap<string, TaskSpec>,
  { mayFollow }: KnownNames,
): void {
  const missing = after.find((other) => !tasks.has(other) && !mayFollow?.(other));
  if (missing === undefined) return;
  const near = nearestName(missing, [...tasks.keys()].slice(0, 1_000));
  const hint = near === undefined ? 'add it, or leave it out' : `do you mean ${showValue(near)}?`;
  const none = mayFollow ? 'neither in the plan nor done' : 'no task';
  throw invalid(`task ${showValue(id)} comes after ${showValue(missing)}, which is ${none}: ${hint}`);
}

type Field = readonly [fits: (value: unknown) => boolean, wanted: string];

const isTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isName = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** Optional fields of every task. */
const FIELDS: Readonly<Record<string, Field>> = {
  after: [isTexts, 'a list of ids'],
  afterFailure: [(value) => value === 'skip' || value === 'run', '"skip" or "run"'],
  priority: [Number.isFinite, 'a number'],
  goal: [isName, 'a text'],
  task: [isName, 'a name'],
  models: [isTexts, 'a list of names'],
  timeoutMs: [(value) => Number.isFinite(value) && Number(value) > 0, 'milliseconds above 0'],
  idempotent: [(value) => typeof value === 'boolean', 'true or false'],
  delayMs: [(value) => Number.isFinite(value) && Number(value) >= 0, 'milliseconds from 0'],
  event: [isEvent, '{ name: a text, withinMs: milliseconds above 0 }'],
  retries: [isRetries, '{ limit: 1 to 100, backoffMs: milliseconds from 0, on: classes of errors }'],
};

function isEvent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, withinMs = 1 } = value;
  return isName(name) && Number.isFinite(withinMs) && Number(withinMs) > 0;
}

function isRetries(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { limit, backoffMs = 0, on = [] } = value;
  const isLimit = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 100;
  const areClasses = isTexts(on) && (on as readonly string[]).every((name) => CLASSES.has(name));
  return isLimit && Number.isFinite(backoffMs) && Number(backoffMs) >= 0 && areClasses;
}

function checkTask(spec: unknown, index: number, { workers, hasPlanner }: KnownNames): TaskSpec {
  if (!isObject(spec)) throw invalid(`task ${index + 1} is ${showValue(spec)}: give { id, worker, input, after }`);
  const { id } = spec;
  if (typeof id !== 'string' || !/^[^\p{Cc}]+$/u.test(id) || id.length > MAX_ID)
    throw invalid(`the id of task ${index + 1} is ${showValue(id)}: give a text of 1 to ${MAX_ID} characters`);
  for (const [name, [fits, wanted]] of Object.entries(FIELDS)) {
    if (spec[name] !== undefined && !fits(spec[name]))
      throw invalid(`${name} of task ${showValue(id)} is ${showValue(spec[name])}: give ${wanted}`);
  }
  const task = spec as unknown as TaskSpec; // its fields are checked above, and the worker below
  if (isGoal(task)) {
    if (!hasPlanner) throw invalid(`task ${showValue(id)} is a goal, and the run has no planner: give plan`);
    return task;
  }
  const { worst, retries, idempotent } = task;
  if (retries !== undefined && idempotent === false)
    throw invalid(`task ${showValue(id)} has retries and must not run twice (idempotent: false): leave one out`);
  mustHaveWorker(task, workers);
  if (worst !== undefined) checkAmount(worst, `worst of task ${showValue(id)}`);
  return task;
}

/** @throws LoopError `invalid-input` if the worker of a task is not among these. */
export function mustHaveWorker({ id, worker }: WorkerTask, workers: readonly string[]): void {
  if (workers.includes(worker)) return;
  const names = workers.length === 0 ? 'there is none' : `there are ${workers.join(', ')}`;
  throw invalid(`worker of task ${showValue(id)} is ${showValue(worker)}, which is no worker: ${names}`);
}

function invalid(message: string): LoopError {
  return new LoopError('invalid-input', message);
}
