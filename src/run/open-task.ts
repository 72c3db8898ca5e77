import type { Clock } from '../contract/clock.js';
import type { Deployment } from '../contract/deployment.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue, Severity } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Attempt, TokenUse } from '../contract/outcome.js';
import type { Policy } from '../contract/settings.js';
import type { ArmAssignment } from '../contract/start.js';
import type { Prompts } from '../contract/text.js';
import { isObject } from '../lib/is-object.js';
import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';
import { describeThrown, type Report } from './problem.js';

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

/** Functions that a task needs to end. */
export interface EndPorts {
  readonly clock: Clock;
  /**
   * Records the outcome, marked as `managed`. `end` is not yet validated or redacted. Returns false if it is no
   * outcome.
   */
  readonly recordEnd: (started: TaskIdentity, end: TaskEnd) => boolean;
  readonly report: Report;
}

/** Task that `begin` started. */
export class StartedTask implements OpenTask {
  readonly id: OutcomeId;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly given: readonly JsonObject[];
  readonly prompts: Prompts;
  readonly arms: readonly ArmAssignment[];
  readonly #ports: EndPorts;
  readonly #identity: TaskIdentity;
  readonly mayRepeat?: boolean;
  readonly deadlineMs: number;
  readonly startedMs: number;
  readonly policyNow: () => Policy;
  #ended = false;

  constructor(
    ports: EndPorts,
    identity: TaskIdentity,
    {
      policy,
      advice,
      given,
      prompts,
      policyNow,
    }: Pick<OpenTask, 'policy' | 'advice' | 'given' | 'prompts' | 'policyNow'>,
    { deadlineMs }: { readonly deadlineMs: number },
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
