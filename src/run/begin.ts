import { DEFAULT_POLICY, type Policy } from '../policy.js';
import type { Clock } from '../ports.js';
import type {
  ArmAssignment,
  Attempt,
  Issue,
  JsonObject,
  OutcomeId,
  Scope,
  Severity,
  Start,
  TokenUse,
} from '../records.js';
import { guarded, type Report } from './problem.js';

export interface BeginOptions {
  /** The id its outcome will carry; one is made when none is given. Must not have been used before. */
  readonly id?: string;
  readonly session?: string;
  /** The model that would be asked first. */
  readonly model?: string;
  readonly tool?: string;
  /** Default `generic`. */
  readonly source?: string;
  readonly agent?: string;
  /** Id of the enclosing task. Known by itself where the platform has call context. */
  readonly parent?: string;
  /** How long the task may take, in milliseconds; one that runs longer counts as failed in a trial. Default 1 hour. */
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
}

/** A task that was begun: the settings and rules it runs under, and the way to say how it ended. */
export interface OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  /** Behavioural rules for this session, each in its own words. */
  readonly advice: readonly string[];
  /** Records how it ended. Only the first end counts: a second one is reported and gives `false`. */
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
}

/** What is known of a task when its arms are drawn. */
export type TaskStart = Omit<Start, 'arms'>;

/** What a begun task needs from the other rooms. */
export interface BeginPorts {
  readonly clock: Clock;
  /** Unique among living processes. */
  readonly writer: string;
  readonly newId: (atMs: number) => string;
  /** Arms of the running trials whose scope covers the task. */
  readonly assign: (start: TaskStart) => readonly ArmAssignment[];
  readonly policyFor: (scope: Scope, arms: readonly ArmAssignment[]) => Policy;
  readonly adviceFor: (scope: Scope, arms: readonly ArmAssignment[], session: string | undefined) => readonly string[];
  /** Called before the work begins, for tasks that have an arm. */
  readonly writeStart: (start: Start) => void;
  /** Makes the outcome, marked as `managed`; nothing in `end` was looked at or redacted yet. */
  readonly recordEnd: (begun: TaskIdentity, end: TaskEnd) => void;
  /** Id of the task around the caller. */
  readonly enclosing?: () => string | undefined;
  readonly report: Report;
}

export type Begin = (task: string, options?: BeginOptions) => OpenTask;

/** Makes `begin`, of which `run`, `wrap`, hooks and the HTTP service are made. It never throws into the host. */
export function createBegin(ports: BeginPorts): Begin {
  let counter = 0;
  return (task, options = NO_OPTIONS) => {
    const atMs = ports.clock.now();
    const name = readTask(task, ports.report);
    const source = options.source ?? DEFAULT_SOURCE;
    const scope = scopeOf(name, source, options);
    const start: TaskStart = {
      // An OutcomeId is any string that is used once; `newId` and the host promise that.
      id: (options.id ?? ports.newId(atMs)) as OutcomeId,
      task: name,
      atMs,
      deadlineMs: atMs + readDeadline(options.deadlineMs, ports.report),
      scope,
      ...(options.session !== undefined && { session: options.session }),
      writer: ports.writer,
      counter: counter++,
    };
    const arms = drawArms(ports, start);
    const parent = options.parent ?? ports.enclosing?.();
    return new Task(
      ports,
      {
        id: start.id,
        ...scope,
        task: name,
        source,
        ...(start.session !== undefined && { session: start.session }),
        ...(parent !== undefined && { parent }),
      },
      guarded(ports.report, 'begin.policyFor', DEFAULT_POLICY, () => ports.policyFor(scope, arms)),
      guarded(ports.report, 'begin.adviceFor', NO_ADVICE, () => ports.adviceFor(scope, arms, options.session)),
    );
  };
}

const NO_OPTIONS: BeginOptions = {};
const NO_ARMS: readonly ArmAssignment[] = [];
const NO_ADVICE: readonly string[] = [];
const DEFAULT_SOURCE = 'generic';
const DEFAULT_DEADLINE_MS = 3_600_000;

class Task implements OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly #ports: BeginPorts;
  readonly #identity: TaskIdentity;
  readonly #startedMs: number;
  #ended = false;

  constructor(ports: BeginPorts, identity: TaskIdentity, policy: Policy, advice: readonly string[]) {
    this.id = identity.id;
    this.policy = policy;
    this.advice = advice;
    this.#ports = ports;
    this.#identity = identity;
    this.#startedMs = ports.clock.monotonic();
  }

  end(end: TaskEnd): boolean {
    const { clock, report, recordEnd } = this.#ports;
    if (this.#ended) {
      report({ where: 'begin.end', message: `task ${this.id} had ended: its second end was ignored` });
      return false;
    }
    this.#ended = true;
    const timed = end.durationMs === undefined ? { ...end, durationMs: clock.monotonic() - this.#startedMs } : end;
    guarded(report, 'begin.recordEnd', undefined, () => recordEnd(this.#identity, timed));
    return true;
  }
}

/** An arm counts only when the Start that holds it was written: without it the task runs as if no trial were there. */
function drawArms(ports: BeginPorts, start: TaskStart): readonly ArmAssignment[] {
  const arms = guarded(ports.report, 'begin.assign', NO_ARMS, () => ports.assign(start));
  if (arms.length === 0) return NO_ARMS;
  return guarded(ports.report, 'begin.writeStart', NO_ARMS, () => {
    ports.writeStart({ ...start, arms });
    return arms;
  });
}

function scopeOf(task: string, source: string, { model, tool, agent }: BeginOptions): Scope {
  return {
    task,
    source,
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
  };
}

function readTask(task: unknown, report: Report): string {
  if (typeof task === 'string' && task !== '') return task;
  report({
    where: 'begin',
    message: 'the task has no name: it is recorded as "unnamed"; give a text that is not empty',
  });
  return 'unnamed';
}

function readDeadline(deadlineMs: number | undefined, report: Report): number {
  if (deadlineMs === undefined) return DEFAULT_DEADLINE_MS;
  if (deadlineMs > 0 && Number.isFinite(deadlineMs)) return deadlineMs;
  report({ where: 'begin', message: `deadlineMs is ${deadlineMs}: 1 hour is used; give milliseconds above 0` });
  return DEFAULT_DEADLINE_MS;
}
