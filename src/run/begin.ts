import type { Clock } from '../contract/clock.js';
import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue, Severity } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Attempt, TokenUse } from '../contract/outcome.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import type { Policy } from '../contract/settings.js';
import type { ArmAssignment, Start } from '../contract/start.js';
import type { Prompts } from '../contract/text.js';
import { isObject } from '../lib/is-object.js';
import { readableFields } from '../lib/readable.js';
import type { MayRepeat, RepeatRules } from '../lib/repeat.js';
import { showValue } from '../lib/text.js';
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
import { describeThrown, type Report } from './problem.js';
import { SessionsOfTasks } from './sessions-of-tasks.js';

/** Result of a task, as the host reports it. */
export interface TaskEnd {
  readonly success: boolean;
  /** Thrown value of any type, or a message. */
  readonly error?: unknown;
  /** Issues that the host identified. Default: classified from the error. */
  readonly issues?: readonly Issue[];
  /** Model that answered, if different from the first one. */
  readonly model?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 to 5. */
  readonly quality?: number;
  readonly attempts?: readonly Attempt[];
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: JsonObject;
  readonly tags?: readonly string[];
  /** Whether this was the last task of its session. If so, trials of rules need not wait for the session to go idle. */
  readonly endsSession?: boolean;
}

/** Task that has begun: its settings, its rules and the function that ends it. */
export interface OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  /** Behavioural rules for this session, as plain text. */
  readonly advice: readonly string[];
  /** Data of custom changes and of skills that apply to this task. */
  readonly given: readonly JsonObject[];
  /** Your named texts, in the version for this task or its session. */
  readonly prompts: Prompts;
  /** Trials that include this task, with its arm in each. Empty if none does. */
  readonly arms: readonly ArmAssignment[];
  /** Whether the task may run again after a failure. Absent while unknown, which means no. */
  readonly mayRepeat?: boolean;
  /** Epoch milliseconds. A trial counts a task that ends later as failed. */
  readonly deadlineMs: number;
  /** Start time on the monotonic clock. */
  readonly startedMs: number;
  /** Returns the settings that are in force for this task now. They differ from `policy` after a fix was taken back. */
  policyNow(): Policy;
  /**
   * Records the result of the task. Only the first call counts. Returns false for a second call.
   * Also returns false if `end` does not state whether the task succeeded; the task then stays open. Both are reported.
   */
  end(end: TaskEnd): boolean;
}

/** Fields that the outcome takes from the start of the task. */
export interface TaskIdentity extends Deployment {
  readonly id: OutcomeId;
  readonly task: string;
  readonly source: string;
  readonly session?: string;
  readonly agent?: string;
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly repeatable?: boolean;
  readonly models?: readonly string[];
  readonly tags?: readonly string[];
}

/** Start record without its arms, which are assigned from it. */
export type TaskStart = Omit<Start, 'arms'>;

/** Functions and settings that a task needs from the other components. */
export interface BeginPorts {
  readonly clock: Clock;
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
  /**
   * Records the outcome, marked as `managed`. `end` is not yet validated or redacted. Returns false if it is no
   * outcome.
   */
  readonly recordEnd: (started: TaskIdentity, end: TaskEnd) => boolean;
  /** Returns the id of the task around the caller. */
  readonly enclosing?: () => string | undefined;
  readonly report: Report;
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
    return new Task(ports, identity, { policy, advice, given, prompts, policyNow }, start, arms, may);
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

class Task implements OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly given: readonly JsonObject[];
  readonly prompts: Prompts;
  readonly arms: readonly ArmAssignment[];
  readonly #ports: BeginPorts;
  readonly #identity: TaskIdentity;
  readonly mayRepeat?: boolean;
  readonly deadlineMs: number;
  readonly startedMs: number;
  readonly policyNow: () => Policy;
  #ended = false;

  constructor(
    ports: BeginPorts,
    identity: TaskIdentity,
    {
      policy,
      advice,
      given,
      prompts,
      policyNow,
    }: Pick<OpenTask, 'policy' | 'advice' | 'given' | 'prompts' | 'policyNow'>,
    { deadlineMs }: TaskStart,
    arms: readonly ArmAssignment[],
    mayRepeat: boolean | undefined,
  ) {
    this.deadlineMs = deadlineMs;
    this.arms = arms;
    if (mayRepeat !== undefined) this.mayRepeat = mayRepeat;
    this.id = identity.id;
    this.policy = policy;
    this.policyNow = policyNow;
    this.advice = advice;
    this.given = given;
    this.prompts = prompts;
    this.#ports = ports;
    this.#identity = identity;
    this.startedMs = ports.clock.monotonic();
  }

  /** Arrow function, so that hosts can destructure it: `const { advice, end } = loop.begin(...)`. */
  readonly end = (end: TaskEnd): boolean => {
    const { clock, report, recordEnd } = this.#ports;
    if (this.#ended) {
      report({ where: 'begin.end', message: `task ${this.id} had ended: its second end was ignored` });
      return false;
    }
    this.#ended = true;
    try {
      // A string or an array would be copied as one field per character or item.
      this.#ended =
        isObject(end) && recordEnd(this.#identity, this.#tagged(timed(end, clock.monotonic() - this.startedMs)));
      if (this.#ended) return true;
      const say = 'give { success: true } or { success: false, error }';
      report({
        where: 'begin.end',
        message: `task ${this.id} got ${showValue(end)} as its end and stays open: ${say}`,
      });
    } catch (error) {
      this.#ended = false;
      report({ where: 'begin.recordEnd', message: `threw ${describeThrown(error)}` });
    }
    return false;
  };

  /** Returns the end with the tags that the task had from its start. */
  #tagged(end: TaskEnd): TaskEnd {
    const { tags = [] } = this.#identity;
    if (tags.length === 0) return end;
    const more = Array.isArray(end.tags) ? end.tags : [];
    return { ...end, tags: [...new Set([...tags, ...more])] };
  }
}

/** Returns the end with its duration. The host's own duration takes precedence. */
function timed(end: TaskEnd, durationMs: number): TaskEnd {
  try {
    return end.durationMs === undefined ? { ...end, durationMs } : end;
  } catch {
    // Safe: the observer validates each field.
    return { durationMs, ...(readableFields(end) as Partial<TaskEnd> as TaskEnd) };
  }
}

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
