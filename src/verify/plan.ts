import type { FixId } from '../contract/ids.js';
import { ERROR_CATEGORIES, type ErrorCategory, type Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Scope } from '../contract/scope.js';
import { type Policy, PRESSURE } from '../contract/settings.js';
import type { AtMost } from '../contract/task-statistics.js';
import type { Trial, Trigger, UnitKind } from '../contract/trial.js';
import { levelOf, type TrialPlace } from './level.js';
import { DAY_MS, POLICY_DAYS, RULE_DAYS } from './limits.js';

/** Lower bound on the aim: a fix for a smaller share of the failures is tested with this one. */
const SMALLEST_AIM = 0.02;
/** Minimum tasks of the scope per block. Small blocks allow more units to be randomised (decision 0120). */
const TASKS_PER_BLOCK = 25;
/** Minimum block length. In shorter blocks, calls would cross the borders too often. */
const MIN_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 6 * 3_600_000;

/** Inputs for planning a trial. */
export interface TrialPlan {
  readonly fixId: FixId;
  readonly scope: Scope;
  readonly unit: UnitKind;
  readonly nowMs: number;
  /** Position of the trial among all trials of the loop. */
  readonly place: TrialPlace;
  /**
   * Allowed probability of a false confirmation per pattern, and share of useless fixes among all confirmed ones.
   * Default 0.05.
   */
  readonly alpha?: number;
  /** Tasks of the scope per day, used to size blocks. */
  readonly tasksPerDay: number;
  /** Longest time a task may wait under the fix, from `longestWait`. Used to size blocks. */
  readonly longestWaitMs: number;
  readonly past: Trial['past'];
  readonly atMost?: AtMost;
  /** Settings of the fix. */
  readonly set?: JsonObject;
  /** Share of the failures in scope that the fix targets. Default 1. */
  readonly aim?: number;
  /** Single tasks only: arms that share a resource also affect the first attempts of each other's tasks. */
  readonly trigger?: Trigger | undefined;
  readonly seed: number;
}

/** Returns the trial record that is written to the ledger at the start. */
export function planTrial(plan: TrialPlan): Trial {
  return {
    fixId: plan.fixId,
    unit: plan.unit,
    scope: plan.scope,
    phase: 'running',
    phaseSinceMs: plan.nowMs,
    share: 0.5,
    ...(plan.unit === 'block' && { blockMs: blockLength(plan.tasksPerDay, plan.longestWaitMs) }),
    alpha: levelOf(plan.place, plan.alpha),
    place: plan.place,
    openedMs: plan.nowMs,
    deadlineMs: plan.nowMs + (plan.unit === 'session' ? RULE_DAYS : POLICY_DAYS) * DAY_MS,
    seed: plan.seed,
    past: plan.past,
    ...(plan.atMost && { atMost: plan.atMost }),
    ...waitOf(plan.set),
    ...(plan.unit === 'task' && plan.trigger ? { trigger: plan.trigger } : aimOf(plan)),
  };
}

/**
 * Returns the longest time a task can wait under a policy: all its back-offs, each with the longest rate-limit reset
 * announced so far. Ignores resets that the policy would not wait for.
 */
export function longestWait(policy: Policy, announcedMs: readonly number[]): number {
  const maxMs = policy['backoff.maxMs'];
  const resetMs = Math.max(0, ...announcedMs.filter((ms) => ms <= Math.max(maxMs, policy['limit.resetMs'])));
  const retries = Math.max(...ERROR_CATEGORIES.map((category) => policy[`retries.${category}`]));
  let waitMs = policy['limit.resetMs'] > 0 ? resetMs : 0; // before the first attempt
  for (let retry = 0; retry < retries; retry++) {
    waitMs += Math.min(maxMs, policy['backoff.baseMs'] * 2 ** retry) + resetMs;
  }
  return waitMs;
}

/**
 * Returns the unit of randomisation for a policy change. Arms that share a quota, queue or circuit breaker interfere if
 * single tasks are randomised. Such changes are therefore randomised by time block.
 */
export function unitFor(issue: Issue, settings: readonly string[]): UnitKind {
  const shares = SHARED_ISSUES.has(issue) || settings.some((name) => SHARED_SETTINGS.test(name));
  return shares ? 'block' : 'task';
}

function waitOf(set: JsonObject = {}): Pick<Trial, 'waitsMs'> {
  const resetMs = set['limit.resetMs'];
  return typeof resetMs === 'number' && resetMs > 0 ? { waitsMs: resetMs } : {};
}

/** Returns the aim of the trial. With a limit of its own on what counts as failed, the targeted share is unknown. */
function aimOf({ aim = 1, atMost }: TrialPlan): Pick<Trial, 'aim'> {
  return aim < 1 && atMost === undefined ? { aim: Math.max(SMALLEST_AIM, aim) } : {};
}

/** Returns a block length that fits the minimum tasks and twice the longest wait; 1 s to 6 h. */
function blockLength(tasksPerDay: number, longestWaitMs: number): number {
  const forTasks = tasksPerDay > 0 ? (TASKS_PER_BLOCK / tasksPerDay) * DAY_MS : MAX_BLOCK_MS;
  return Math.ceil(Math.min(MAX_BLOCK_MS, Math.max(MIN_BLOCK_MS, forTasks, 2 * longestWaitMs)));
}

/** Without time-outs and network errors: they show pressure on the remote side, but the arms do not share it. */
const SHARED_ISSUES = /* @__PURE__ */ sharedIssues();

function sharedIssues(): ReadonlySet<Issue> {
  const pressure = [...PRESSURE].filter((category: ErrorCategory) => category !== 'timeout');
  return new Set<Issue>([...pressure, 'quota_exceeded']);
}

const SHARED_SETTINGS = /^(limits?|rate|concurrency|breaker|spacing|queue)\./;
