import type { FixId } from '../contract/ids.js';
import { ERROR_CATEGORIES, type ErrorCategory, type Issue } from '../contract/issue.js';
import type { Scope } from '../contract/scope.js';
import { type Policy, PRESSURE } from '../contract/settings.js';
import type { AtMost } from '../contract/task-statistics.js';
import type { Trial, Trigger, UnitKind } from '../contract/trial.js';
import { levelOf, type TrialPlace } from './level.js';
import { DAY_MS, POLICY_DAYS, RULE_DAYS } from './limits.js';

/** A fix for less of the failures is tested as if it were for so much. */
const SMALLEST_AIM = 0.02;
/** A block holds at least this many tasks of the scope: more of them can be drawn than of larger ones (decision 0120). */
const TASKS_PER_BLOCK = 25;
/** Shorter ones would be cut up by the time that a call itself takes. */
const MIN_BLOCK_MS = 1_000;
const MAX_BLOCK_MS = 6 * 3_600_000;

/** What a trial is planned from. */
export interface TrialPlan {
  readonly fixId: FixId;
  readonly scope: Scope;
  readonly unit: UnitKind;
  readonly nowMs: number;
  /** Where it stands among all trials of the loop. */
  readonly place: TrialPlace;
  /** False confirmations allowed per pattern, and share of useless fixes among all confirmed ones. Default 0.05. */
  readonly alpha?: number;
  /** Tasks of the scope per day, for the length of a block. */
  readonly tasksPerDay: number;
  /** What a task may wait under the fix, by `longestWait`; for the length of a block. */
  readonly longestWaitMs: number;
  readonly past: Trial['past'];
  readonly atMost?: AtMost;
  /** Which part of the failures in scope the fix is for. Default 1. */
  readonly aim?: number;
  /** Single tasks only: arms that share something disturb the first attempts of each other's tasks as well. */
  readonly trigger?: Trigger | undefined;
  readonly seed: number;
}

/** The trial as it is written into the ledger when it starts. */
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
    ...(plan.unit === 'task' && plan.trigger ? { trigger: plan.trigger } : aimOf(plan)),
  };
}

/**
 * How long a task can really wait under a policy: all its back-offs, each with a reset of the longest kind that was
 * announced so far. Resets that the policy would not wait for do not count.
 */
export function longestWait(policy: Policy, announcedMs: readonly number[]): number {
  const maxMs = policy['backoff.maxMs'];
  const resetMs = Math.max(0, ...announcedMs.filter((ms) => ms <= Math.max(maxMs, policy['limit.resetMs'])));
  const retries = Math.max(...ERROR_CATEGORIES.map((category) => policy[`retries.${category}`]));
  let waitMs = policy['limit.resetMs'] > 0 ? resetMs : 0; // in front of the first attempt
  for (let retry = 0; retry < retries; retry++) {
    waitMs += Math.min(maxMs, policy['backoff.baseMs'] * 2 ** retry) + resetMs;
  }
  return waitMs;
}

/**
 * What a policy change for an issue is randomised by. Arms that share a quota, a queue or a breaker disturb each other
 * when single tasks are drawn, so there whole slices of time are.
 */
export function unitFor(issue: Issue, settings: readonly string[]): UnitKind {
  const shares = SHARED_ISSUES.has(issue) || settings.some((name) => SHARED_SETTINGS.test(name));
  return shares ? 'block' : 'task';
}

/** With a limit of its own on what counts as failed, the part is not known. */
function aimOf({ aim = 1, atMost }: TrialPlan): Pick<Trial, 'aim'> {
  return aim < 1 && atMost === undefined ? { aim: Math.max(SMALLEST_AIM, aim) } : {};
}

/** Long enough for its tasks and for twice what a task may have to wait; 1 s to 6 h. */
function blockLength(tasksPerDay: number, longestWaitMs: number): number {
  const forTasks = tasksPerDay > 0 ? (TASKS_PER_BLOCK / tasksPerDay) * DAY_MS : MAX_BLOCK_MS;
  return Math.ceil(Math.min(MAX_BLOCK_MS, Math.max(MIN_BLOCK_MS, forTasks, 2 * longestWaitMs)));
}

/** Time-outs and the network are pressure on the far side, but arms do not share them. */
const SHARED_ISSUES = /* @__PURE__ */ sharedIssues();

function sharedIssues(): ReadonlySet<Issue> {
  const pressure = [...PRESSURE].filter((category: ErrorCategory) => category !== 'timeout');
  return new Set<Issue>([...pressure, 'quota_exceeded']);
}

const SHARED_SETTINGS = /^(limits?|rate|concurrency|breaker|spacing|queue)\./;
