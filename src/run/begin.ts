import type { Clock } from '../contract/clock.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue, Severity } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Attempt, TokenUse } from '../contract/outcome.js';
import { DEFAULT_POLICY } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import type { Policy } from '../contract/settings.js';
import type { ArmAssignment, Start } from '../contract/start.js';
import { readableFields } from '../lib/readable.js';
import type { MayRepeat, RepeatRules } from '../lib/repeat.js';
import { showValue } from '../lib/text.js';
import { describeThrown, type Report } from './problem.js';

export interface BeginOptions {
  /** The id its outcome will carry; one is made when none is given. Must not have been used before. */
  readonly id?: string;
  /** Tasks of one session are given the same rules. Default: that of the enclosing task. */
  readonly session?: string;
  /** The model that would be asked first. */
  readonly model?: string;
  /** Models that may be asked, best first. Several of them say that the task may run again with the next one. */
  readonly models?: readonly string[];
  /** Whether the task may run again after a failure. Default: as the loop was told, or only if a person allowed it. */
  readonly idempotent?: boolean;
  readonly tool?: string;
  /** Default: the one the loop was given. */
  readonly source?: string;
  readonly agent?: string;
  /** Id of the enclosing task. Known by itself where the platform has call context. */
  readonly parent?: string;
  /**
   * How long the task may take, in milliseconds; one that runs longer counts as failed in a trial. Default: three times
   * what the slowest task of its name took lately, at least an hour.
   */
  readonly deadlineMs?: number;
}

/** How a task ended, as its host tells it. */
export interface TaskEnd {
  readonly success: boolean;
  /** Whatever was thrown, or a message. */
  readonly error?: unknown;
  /** What went wrong, where the host knows it; otherwise it is read from the error. */
  readonly issues?: readonly Issue[];
  /** The model that answered, where it is not the one asked first. */
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
  /** This was the last task of its session, so that rules on trial in it can be judged without waiting for it to rest. */
  readonly endsSession?: boolean;
}

/** A task that was begun: the settings and rules it runs under, and the way to say how it ended. */
export interface OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  /** Behavioural rules for this session, each in its own words. */
  readonly advice: readonly string[];
  /** The trials it is part of, and on which side; empty where none covers it. */
  readonly arms: readonly ArmAssignment[];
  /** Whether it may run again after a failure; absent while nobody has said so, which means no. */
  readonly mayRepeat?: boolean;
  /** Epoch milliseconds; if it ends later, a trial counts it as failed. */
  readonly deadlineMs: number;
  /** On the monotonic clock. */
  readonly startedMs: number;
  /**
   * Records how it ended. Only the first end counts. Returns false for a second one, and for an end that does not say
   * whether the task succeeded, which leaves the task open; both are reported.
   */
  end(end: TaskEnd): boolean;
}

/** What its outcome takes from the beginning of the task. */
export interface TaskIdentity {
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
}

/** What is known of a task when its arms are drawn. */
export type TaskStart = Omit<Start, 'arms'>;

/** What a begun task needs from the other components. */
export interface BeginPorts {
  readonly clock: Clock;
  /** Unique among living processes. */
  readonly writer: string;
  readonly newId: (atMs: number) => string;
  /** A name as outcomes keep it: redacted and cut. What a task begins with is kept as well. */
  readonly sanitizeName: (name: string) => string;
  /** Where tasks come from that do not say so. Default `generic`. */
  readonly source?: string;
  readonly mayRepeat: RepeatRules['ofCall'];
  /** What the slowest task of this name took lately; 0 where nothing is known. */
  readonly slowestMs: (task: string, atMs: number) => number;
  /** Arms of the running trials whose scope covers the task, and whose fix repeats it only if it may be repeated. */
  readonly assign: (start: TaskStart, mayRepeat: boolean | undefined) => readonly ArmAssignment[];
  readonly policyFor: (scope: Scope, arms: readonly ArmAssignment[], mayRepeat: boolean | undefined) => Policy;
  readonly adviceFor: (scope: Scope, arms: readonly ArmAssignment[], session: string | undefined) => readonly string[];
  /** Called before the work begins, for tasks that have an arm. */
  readonly writeStart: (start: Start) => void;
  /** Makes the outcome, marked as `managed`; nothing in `end` was looked at or redacted yet. False when it holds none. */
  readonly recordEnd: (begun: TaskIdentity, end: TaskEnd) => boolean;
  /** Id of the task around the caller. */
  readonly enclosing?: () => string | undefined;
  readonly report: Report;
}

export type Begin = (task: string, options?: BeginOptions) => OpenTask;

/** Makes `begin`, of which `run`, `wrap`, hooks and the HTTP service are made. It never throws into the host. */
export function createBegin(ports: BeginPorts): Begin {
  const { clock } = ports;
  let counter = 0;
  const sessions = new SessionsOfTasks();
  return (task, given = NO_OPTIONS) => {
    const atMs = clock.now();
    const options = readOptions(ports, given);
    const identity: Draft<TaskIdentity> = {
      // An OutcomeId is any string that is used once; `newId` and the host promise that.
      id: (readName(ports, 'id', options.id) ?? ports.newId(atMs)) as OutcomeId,
      task: readTask(ports, task),
      source: readName(ports, 'source', options.source) ?? ports.source ?? DEFAULT_SOURCE,
    };
    const scope: Draft<Scope> = { task: identity.task, source: identity.source };
    const session = readName(ports, 'session', options.session);
    const model = readName(ports, 'model', options.model ?? firstOf(options.models));
    const tool = readName(ports, 'tool', options.tool);
    const agent = readName(ports, 'agent', options.agent);
    if (model !== undefined) scope.model = identity.model = model;
    if (tool !== undefined) scope.tool = identity.tool = tool;
    if (agent !== undefined) scope.agent = identity.agent = agent;
    const parent = readName(ports, 'parent', options.parent) ?? ports.enclosing?.();
    if (parent !== undefined) identity.parent = parent;
    // A sub-agent is in the arm of the session that called it, also where it has a session of its own.
    const root = (parent === undefined ? undefined : sessions.of(parent)) ?? session;
    if (root !== undefined) {
      identity.session = session ?? root;
      sessions.add(identity.id, root);
    }
    const models = readModels(ports, options.models);
    if (models !== undefined) identity.models = models;
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
    const { may, saidBy } = findRepeat(ports, identity.task, options);
    // What a person says can change; what the host says is a property of its function, and the record keeps it.
    if (may !== undefined && saidBy !== 'person') identity.repeatable = may;
    const arms = drawArms(ports, start, may);
    const policy = findPolicy(ports, scope, arms, may);
    return new Task(ports, identity, policy, findAdvice(ports, scope, arms, root), start, arms, may);
  };
}

type Draft<Record> = { -readonly [Name in keyof Record]: Record[Name] };

const NO_OPTIONS: BeginOptions = {};
const NO_ARMS: readonly ArmAssignment[] = [];
const NO_ADVICE: readonly string[] = [];
const DEFAULT_SOURCE = 'generic';
const MIN_DEADLINE_MS = 3_600_000;
/** A task that takes longer than this many times the slowest one of late is taken to have vanished. */
const TIMES_SLOWEST = 3;
const MAX_KNOWN_TASKS = 10_000;
/** As many as `model.order` holds. */
const MAX_LISTED = 16;

/** The session that each of the newest tasks belongs to, for the tasks begun inside them. */
class SessionsOfTasks {
  #older = new Map<string, string>();
  #newer = new Map<string, string>();

  of(task: string): string | undefined {
    return this.#newer.get(task) ?? this.#older.get(task);
  }

  add(task: string, session: string): void {
    this.#newer.set(task, session);
    if (this.#newer.size < MAX_KNOWN_TASKS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}

class Task implements OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly arms: readonly ArmAssignment[];
  readonly #ports: BeginPorts;
  readonly #identity: TaskIdentity;
  readonly mayRepeat?: boolean;
  readonly deadlineMs: number;
  readonly startedMs: number;
  #ended = false;

  constructor(
    ports: BeginPorts,
    identity: TaskIdentity,
    policy: Policy,
    advice: readonly string[],
    { deadlineMs }: TaskStart,
    arms: readonly ArmAssignment[],
    mayRepeat: boolean | undefined,
  ) {
    this.deadlineMs = deadlineMs;
    this.arms = arms;
    if (mayRepeat !== undefined) this.mayRepeat = mayRepeat;
    this.id = identity.id;
    this.policy = policy;
    this.advice = advice;
    this.#ports = ports;
    this.#identity = identity;
    this.startedMs = ports.clock.monotonic();
  }

  /** A function of its own, so that hosts may take it out of the task: `const { advice, end } = loop.begin(...)`. */
  readonly end = (end: TaskEnd): boolean => {
    const { clock, report, recordEnd } = this.#ports;
    if (this.#ended) {
      report({ where: 'begin.end', message: `task ${this.id} had ended: its second end was ignored` });
      return false;
    }
    this.#ended = true;
    try {
      this.#ended = isEnd(end) && recordEnd(this.#identity, timed(end, clock.monotonic() - this.startedMs));
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
}

/** Returns whether an end can be read. A text or a list would be copied field by field, one for each character or item. */
function isEnd(end: unknown): boolean {
  return typeof end === 'object' && end !== null && !Array.isArray(end);
}

/** The end with its duration; the host's own wins. */
function timed(end: TaskEnd, durationMs: number): TaskEnd {
  try {
    return end.durationMs === undefined ? { ...end, durationMs } : end;
  } catch {
    // The observer checks each field: nothing that was read is trusted.
    return { durationMs, ...(readableFields(end) as Partial<TaskEnd> as TaskEnd) };
  }
}

/** An arm counts only when the Start that holds it was written: without it the task runs as if no trial were there. */
function drawArms(ports: BeginPorts, start: TaskStart, may: boolean | undefined): readonly ArmAssignment[] {
  try {
    const arms = ports.assign(start, may);
    if (arms.length > 0) ports.writeStart({ ...start, arms });
    return arms;
  } catch (error) {
    ports.report({ where: 'begin.assign', message: `no arm was drawn: threw ${describeThrown(error)}` });
    return NO_ARMS;
  }
}

function findPolicy(
  { policyFor, report }: BeginPorts,
  scope: Scope,
  arms: readonly ArmAssignment[],
  may: boolean | undefined,
): Policy {
  try {
    return policyFor(scope, arms, may);
  } catch (error) {
    report({ where: 'begin.policyFor', message: `the default policy is used: threw ${describeThrown(error)}` });
    return DEFAULT_POLICY;
  }
}

/** What cannot be read counts as a no: a task that is not repeated does no harm. */
function findRepeat({ mayRepeat, report }: BeginPorts, task: string, options: BeginOptions): MayRepeat {
  const { idempotent, models } = options;
  try {
    if (idempotent === undefined || typeof idempotent === 'boolean') {
      return mayRepeat(task, idempotent, Array.isArray(models) ? models : undefined);
    }
    const message = `idempotent is a ${typeof idempotent}: the task is not repeated; give true or false`;
    report({ where: 'begin', message });
    return mayRepeat(task, false, undefined);
  } catch (error) {
    report({ where: 'begin.mayRepeat', message: `the task is not repeated: threw ${describeThrown(error)}` });
    return NOBODY_SAID;
  }
}

const NOBODY_SAID: MayRepeat = {};

function findAdvice(
  { adviceFor, report }: BeginPorts,
  scope: Scope,
  arms: readonly ArmAssignment[],
  session: string | undefined,
): readonly string[] {
  try {
    return adviceFor(scope, arms, session);
  } catch (error) {
    report({ where: 'begin.adviceFor', message: `no advice is given: threw ${describeThrown(error)}` });
    return NO_ADVICE;
  }
}

function readTask(ports: BeginPorts, task: string): string {
  const name = task === '' ? undefined : readName(ports, 'task', task);
  if (name === undefined)
    ports.report({ where: 'begin', message: 'a task without a name is recorded as "unnamed": name it' });
  return name ?? 'unnamed';
}

const OPTIONS = [
  'id',
  'session',
  'model',
  'models',
  'idempotent',
  'tool',
  'source',
  'agent',
  'parent',
  'deadlineMs',
] as const;

/** The options themselves if every one can be read, else a copy of those that can. */
function readOptions({ report }: BeginPorts, given: BeginOptions): BeginOptions {
  if (typeof given !== 'object' || given === null) {
    report({ where: 'begin', message: `the options are ${showValue(given)}: they were ignored; give an object` });
    return NO_OPTIONS;
  }
  try {
    for (const name of OPTIONS) void given[name];
    return given;
  } catch (error) {
    report({ where: 'begin', message: `an option cannot be read: threw ${describeThrown(error)}` });
    return readableFields(given); // each field is checked when it is used
  }
}

/** Callers that are not typed may give something else than a list. */
function firstOf(models: unknown): unknown {
  return Array.isArray(models) ? models[0] : undefined;
}

/** The names of a list that leaves a choice, as they are kept. */
function readModels({ sanitizeName }: BeginPorts, models: unknown): readonly string[] | undefined {
  if (!Array.isArray(models) || models.length < 2) return undefined;
  const names = models.slice(0, MAX_LISTED).flatMap((name) => (typeof name === 'string' ? [sanitizeName(name)] : []));
  const different = new Set(names);
  if (different.size < 2) return undefined;
  return different.size === names.length ? names : [...different];
}

/** Names are texts, but not every host is typed. */
function readName({ sanitizeName, report }: BeginPorts, field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return sanitizeName(value);
  report({ where: 'begin', message: `${field} is ${showValue(value)}: it was ignored; give a text` });
  return undefined;
}

/** A task that may take longer would hold up its trial, and keep its place among the open tasks of a server. */
const MAX_DEADLINE_MS = 7 * 86_400_000;

/** Fixed when the task begins, before its arms are drawn: the same in both arms. */
function readDeadline(ports: BeginPorts, given: number | undefined, task: string, atMs: number): number {
  if (given !== undefined && given > 0 && given <= MAX_DEADLINE_MS) return given;
  const usualMs = Math.min(MAX_DEADLINE_MS, Math.max(MIN_DEADLINE_MS, TIMES_SLOWEST * findSlowest(ports, task, atMs)));
  if (given !== undefined) {
    const message = `deadlineMs is ${showValue(given)}: ${usualMs} is used; give milliseconds above 0, at most 7 days`;
    ports.report({ where: 'begin', message });
  }
  return usualMs;
}

function findSlowest({ slowestMs, report }: BeginPorts, task: string, atMs: number): number {
  try {
    return slowestMs(task, atMs);
  } catch (error) {
    report({ where: 'begin.slowestMs', message: `the shortest deadline is used: threw ${describeThrown(error)}` });
    return 0;
  }
}
