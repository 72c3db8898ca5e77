import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import type { OutcomeId } from '../contract/ids.js';
import type { JsonObject } from '../contract/json.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import type { Policy } from '../contract/settings.js';
import type { ArmAssignment, Start } from '../contract/start.js';
import type { Prompts } from '../contract/text.js';
import type { MayRepeat, RepeatRules } from '../lib/repeat.js';
import {
  type BeginOptions,
  firstOf,
  predictingNames,
  readDeadline,
  readFeatures,
  readModels,
  readName,
  readOptions,
  readTags,
  readTaskName,
  watchedTags,
} from './begin-options.js';
import { type EndPorts, type OpenTask, StartedTask, type TaskIdentity } from './open-task.js';
import { describeThrown } from './problem.js';
import { SessionsOfTasks } from './sessions-of-tasks.js';

/** Start record without its arms, which are assigned from it. */
export type TaskStart = Omit<Start, 'arms'>;

/** Functions and settings that a task needs from the other components. */
export interface BeginPorts extends EndPorts {
  /** Unique among living processes. */
  readonly writer: string;
  readonly newId: (atMs: number) => string;
  /** Redacts and truncates a name as outcomes do. Names given at the start of a task are stored as well. */
  readonly sanitizeName: (name: string) => string;
  /** Source of tasks that do not state one. Default `generic`. */
  readonly source?: string | undefined;
  /** Deployment of this process, which the scope of each task holds. */
  readonly deployment?: Deployment | undefined;
  readonly mayRepeat: RepeatRules['ofCall'];
  /** Returns the recent maximum duration of tasks with this name; 0 if unknown. */
  readonly slowestMs: (task: string, atMs: number) => number;
  /**
   * Returns the arms of running trials whose scope covers the task.
   * Trials of a fix that repeats the task are included only if the task may be repeated.
   */
  readonly assign: (start: TaskStart, mayRepeat: boolean | undefined) => readonly ArmAssignment[];
  readonly policyFor: (scope: Scope, arms: readonly ArmAssignment[], mayRepeat: boolean | undefined) => Policy;
  readonly adviceFor: (scope: Scope, arms: readonly ArmAssignment[], session: string | undefined) => readonly string[];
  /** Returns the data of custom changes for a task. Default: none. */
  readonly givenFor?: (
    scope: Scope,
    arms: readonly ArmAssignment[],
    session: string | undefined,
  ) => readonly JsonObject[];
  /** Returns the named texts for a task. Default: none. */
  readonly promptsFor?: (start: TaskStart, arms: readonly ArmAssignment[]) => Prompts | undefined;
  /** Called before the work starts, for tasks that have an arm. */
  readonly writeStart: (start: Start) => void;
  /** Returns the id of the task around the caller. */
  readonly enclosing?: () => string | undefined;
}

export type Begin = (task: string, options?: BeginOptions) => OpenTask;

/** Returns `begin`, the basis of `run`, `wrap`, hooks and the HTTP service. It never throws into the host. */
export function createBegin(throwing: BeginPorts): Begin {
  const ports = withoutErrors(throwing);
  const { clock } = ports;
  let counter = 0;
  const sessions = new SessionsOfTasks();
  const beginWith: Begin = (task, chosen = NO_OPTIONS) => {
    const atMs = clock.now();
    const options = readOptions(ports, chosen);
    const { identity, scope, session } = identify(ports, task, options, atMs);
    // A sub-agent shares the arm of the session that called it, even if it has a session of its own.
    const root = (identity.parent === undefined ? undefined : sessions.of(identity.parent)) ?? session;
    if (root !== undefined) {
      identity.session = session ?? root;
      sessions.add(identity.id, root);
    }
    const start: Draft<TaskStart> = {
      id: identity.id,
      task: identity.task,
      atMs,
      deadlineMs: atMs + readDeadline(ports, options.deadlineMs, identity.task, atMs),
      scope,
      writer: ports.writer,
      counter: counter++,
    };
    if (root !== undefined) start.session = root;
    // Part of the record before the arms are drawn from it: nothing that a fix can change may predict its task.
    const features = predictingNames(scope, readName(ports, 'key', options.key));
    if (features) start.features = features;
    const { may, saidBy } = findRepeat(ports, identity.task, options);
    // A person's answer can change. The host's answer is a property of its function, so the record keeps it.
    if (may !== undefined && saidBy !== 'person') identity.repeatable = may;
    const arms = ports.assign(start, may);
    const policy = ports.policyFor(scope, arms, may);
    const advice = ports.adviceFor(scope, arms, root);
    const given = ports.givenFor?.(scope, arms, root) ?? NOTHING_GIVEN;
    const prompts = ports.promptsFor?.(start, arms) ?? NO_PROMPTS;
    const policyNow = () => ports.policyFor(scope, arms, may);
    return new StartedTask(ports, identity, { policy, advice, given, prompts, policyNow }, start, arms, may);
  };
  return (task, chosen) => {
    try {
      return beginWith(task, chosen);
    } catch (error) {
      // Options are read before anything is drawn or written.
      ports.report({
        where: 'begin',
        message: `the options were ignored: reading them threw ${describeThrown(error)}`,
      });
      return beginWith(task);
    }
  };
}

/** Reads what the outcome and the settings need to know about a task before it starts. */
function identify(
  ports: BeginPorts,
  task: string,
  options: BeginOptions,
  atMs: number,
): { readonly identity: Draft<TaskIdentity>; readonly scope: Scope; readonly session: string | undefined } {
  const identity: Draft<TaskIdentity> = {
    // An OutcomeId is any string that is used once; `newId` and the host guarantee that.
    id: (readName(ports, 'id', options.id) ?? ports.newId(atMs)) as OutcomeId,
    task: readTaskName(ports, task),
    source: readName(ports, 'source', options.source) ?? ports.source ?? DEFAULT_SOURCE,
  };
  const scope: Draft<Scope> = { task: identity.task, source: identity.source };
  Object.assign(scope, ports.deployment);
  for (const key of DEPLOYMENT_KEYS) {
    const name = readName(ports, key, options[key]);
    if (name !== undefined) scope[key] = identity[key] = name;
  }
  const session = readName(ports, 'session', options.session);
  const model = readName(ports, 'model', options.model ?? firstOf(options.models));
  const tool = readName(ports, 'tool', options.tool);
  const agent = readName(ports, 'agent', options.agent);
  if (model !== undefined) scope.model = identity.model = model;
  if (tool !== undefined) scope.tool = identity.tool = tool;
  if (agent !== undefined) scope.agent = identity.agent = agent;
  if (options.features !== undefined) Object.assign(scope, readFeatures(ports, options.features));
  if (options.tags !== undefined) {
    identity.tags = readTags(ports, options.tags);
    Object.assign(scope, watchedTags(identity.tags));
  }
  const parent = readName(ports, 'parent', options.parent) ?? ports.enclosing?.();
  if (parent !== undefined) identity.parent = parent;
  const models = readModels(ports, options.models);
  if (models !== undefined) identity.models = models;
  return { identity, scope, session };
}

type Draft<Record> = { -readonly [Name in keyof Record]: Record[Name] };

const NO_OPTIONS: BeginOptions = {};
const NO_ARMS: readonly ArmAssignment[] = [];
const NO_ADVICE: readonly string[] = [];
const NOTHING_GIVEN: readonly JsonObject[] = [];
const NO_PROMPTS: Prompts = Object.freeze({});
const DEFAULT_SOURCE = 'generic';

/** Returns the ports with functions that never throw: a task begins with less then, and the error is reported. */
function withoutErrors(ports: BeginPorts): BeginPorts {
  const safely =
    <Given extends readonly unknown[], Answer>(
      port: keyof BeginPorts,
      call: (...given: Given) => Answer,
      otherwise: Answer,
      so: string,
    ) =>
    (...given: Given): Answer => {
      try {
        return call(...given);
      } catch (error) {
        ports.report({ where: `begin.${port}`, message: `${so}: threw ${describeThrown(error)}` });
        return otherwise;
      }
    };
  // An arm counts only if its Start was written; otherwise the task runs outside any trial.
  const drawArms: BeginPorts['assign'] = (start, may) => {
    const arms = ports.assign(start, may);
    if (arms.length > 0) ports.writeStart({ ...start, arms });
    return arms;
  };
  return {
    ...ports,
    slowestMs: safely('slowestMs', ports.slowestMs, 0, 'the shortest deadline is used'),
    mayRepeat: safely('mayRepeat', ports.mayRepeat, NO_ANSWER, 'the task is not repeated'),
    assign: safely('assign', drawArms, NO_ARMS, 'no arm was drawn'),
    policyFor: safely('policyFor', ports.policyFor, DEFAULT_POLICY, 'the default policy is used'),
    adviceFor: safely('adviceFor', ports.adviceFor, NO_ADVICE, 'no advice is given'),
    ...(ports.promptsFor && {
      promptsFor: safely('promptsFor', ports.promptsFor, NO_PROMPTS, 'no prompts are given'),
    }),
    ...(ports.givenFor && {
      givenFor: safely('givenFor', ports.givenFor, NOTHING_GIVEN, 'no custom change is given'),
    }),
  };
}

/** Returns whether the task may be repeated. Unreadable input counts as no, because not repeating is always safe. */
function findRepeat({ mayRepeat, report }: BeginPorts, task: string, { idempotent, models }: BeginOptions): MayRepeat {
  if (idempotent === undefined || typeof idempotent === 'boolean') {
    return mayRepeat(task, idempotent, Array.isArray(models) ? models : undefined);
  }
  const message = `idempotent is a ${typeof idempotent}: the task is not repeated; give true or false`;
  report({ where: 'begin', message });
  return mayRepeat(task, false, undefined);
}

const NO_ANSWER: MayRepeat = {};
