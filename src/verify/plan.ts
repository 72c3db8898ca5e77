import type { FixId } from '../contract/ids.js';
import { ERROR_CATEGORIES, type ErrorCategory, type Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Scope } from '../contract/scope.js';
import { type Policy, PRESSURE } from '../contract/settings.js';
import type { AtMost, TaskStatistics } from '../contract/task-statistics.js';
import type { Trial, Trigger, UnitKind } from '../contract/trial.js';
import { levelOf, type TrialPlace } from './level.js';
import { DAY_MS, POLICY_DAYS, RULE_DAYS } from './limits.js';
import { blockMsFor } from './open-times.js';
import { SMALLEST_GAIN, SMALLEST_PART } from './residual-bets.js';

/** Lower bound on the aim: a fix for a smaller share of the failures is tested with this one. */
const SMALLEST_AIM = 0.02;
/** Share of tasks in sessions, and mean tasks of a session, from which a host's own settings are drawn by session. */
const IN_SESSIONS = 0.8;
const TASKS_PER_SESSION = 2;
/** Share of tasks that begin apart from others, from which retries of one do not reach the next. */
const APART = 0.75;
/** Minimum tasks of the scope per block. Small blocks allow more units to be randomised. */
const TASKS_PER_BLOCK = 25;
/** Tasks of a level in a ramp of single tasks. */
const TASKS_PER_LEVEL = 50;
/** Units to end a useless trial: this times the variance of an end over the squared smallest gain (measured). */
const TO_END_USELESS = 13;
/** A low volume asks for at most this share of the failures. */
const MOST_OF_THE_RATE = 0.5;
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
  /** Failures that the fix targets. */
  readonly issue?: Issue;
  /** Settings of the fix. */
  readonly set?: JsonObject;
  /** Longest wait that a prevented failure is worth, in milliseconds. Default: the longest one that the fix allows. */
  readonly priceMs?: number;
  /** Share of the failures in scope that the fix targets. Default 1. */
  readonly aim?: number;
  /**
   * Smallest gain that the host wants, as a share of tasks, at any failure rate. Default: 0.05 or 30 % of the failures,
   * the smaller one.
   */
  readonly smallestGain?: number | undefined;
  /** Single tasks only: arms that share a resource also affect the first attempts of each other's tasks. */
  readonly trigger?: Trigger | undefined;
  readonly seed: number;
}

/** Returns the trial record that is written to the ledger at the start. */
export function planTrial(plan: TrialPlan): Trial {
  const days = plan.unit === 'session' ? RULE_DAYS : POLICY_DAYS;
  return {
    fixId: plan.fixId,
    unit: plan.unit,
    scope: plan.scope,
    phase: 'running',
    phaseSinceMs: plan.nowMs,
    share: 0.5,
    ...(plan.unit === 'block' && { blockMs: blockLength(plan) }),
    alpha: levelOf(plan.place, plan.alpha),
    place: placeOf(plan.place),
    openedMs: plan.nowMs,
    deadlineMs: plan.nowMs + days * DAY_MS,
    seed: plan.seed,
    past: plan.past,
    ...(plan.atMost && { atMost: plan.atMost }),
    ...waitOf(plan),
    ...actsOf(plan),
    ...(plan.unit === 'task' && isOwn(plan) && { levelMs: levelLength(plan.tasksPerDay) }),
    ...(choosesModels(plan) && { choosesModels: true as const }),
    ...(plan.unit === 'task' && plan.trigger ? { trigger: plan.trigger } : aimOf(plan)),
    ...(plan.unit === 'task' && gainsOf(plan, days)),
  };
}

function placeOf({ trial, confirmed, attempt }: TrialPlace): NonNullable<Trial['place']> {
  return { trial, confirmed, attempt };
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
 * single tasks are randomised. Such changes are therefore randomised by time block, except retries after an overload of
 * a moment by tasks so far apart that a retry is over before the next task begins. A setting of the host's own may act
 * on later tasks of a session. It is randomised by session if the sessions of its task have several tasks.
 */
export function unitFor(issue: Issue, settings: readonly string[], task?: SessionsOfTask): UnitKind {
  const shares = SHARED_ISSUES.has(issue) || settings.some((name) => SHARED_SETTINGS.test(name));
  if (shares && !isOverBefore(issue, settings, task)) return 'block';
  const isOwn = settings.some((name) => name.startsWith('my.'));
  return isOwn && task && hasSessions(task) ? 'session' : 'task';
}

type SessionsOfTask = Pick<TaskStatistics, 'outcomes' | 'inSessions' | 'perSession' | 'apart'>;

/** Returns whether the fix only repeats calls after failures that no quota causes, before the next task begins. */
function isOverBefore(issue: Issue, settings: readonly string[], task?: SessionsOfTask): boolean {
  const repeats = settings.length > 0 && settings.every((name) => REPEATS.test(name));
  return repeats && OF_A_MOMENT.has(issue) && (task?.apart ?? 0) >= APART;
}

const REPEATS = /^(retries|backoff)\./;
/** Not those of quotas: what a retry uses up is missing for as long as the window of the quota lasts. */
const OF_A_MOMENT: ReadonlySet<Issue> = new Set<Issue>(['server_error', 'overloaded']);

function hasSessions({ outcomes, inSessions, perSession = 1 }: SessionsOfTask): boolean {
  return inSessions >= IN_SESSIONS * outcomes && perSession >= TASKS_PER_SESSION;
}

/** Returns the wait that counts as much as a failure, for a fix that waits on purpose. */
function waitOf({ set = {}, priceMs }: TrialPlan): Pick<Trial, 'waitsMs'> {
  const resetMs = set['limit.resetMs'];
  if (typeof resetMs !== 'number' || resetMs <= 0) return {};
  return { waitsMs: priceMs === undefined ? resetMs : Math.max(1, Math.min(resetMs, priceMs)) };
}

/** Settings that do something only after a failure, and then call again or wait. */
const ACTS_LATE = /^(retries|backoff|limit)\./;

/** Returns after which failures the fix acts, if its settings act after failures only. */
function actsOf({ set = {}, issue }: TrialPlan): Pick<Trial, 'acts'> {
  const names = Object.keys(set);
  if (names.length === 0 || !names.every((name) => ACTS_LATE.test(name))) return {};
  const retried = names.flatMap((name) => (name.startsWith('retries.') ? [name.slice('retries.'.length)] : []));
  const failedWith = [...new Set<Issue>([...retried, ...(issue === undefined ? [] : [issue])])];
  return failedWith.length > 0 ? { acts: { failedWith } } : {};
}

/** Returns whether some setting is the host's own. It may change what tasks share, such as a cache. */
function isOwn({ set = {} }: TrialPlan): boolean {
  return Object.keys(set).some((name) => name.startsWith('my.'));
}

/** Returns whether the settings only choose which model answers. */
function choosesModels({ set = {} }: TrialPlan): boolean {
  const names = Object.keys(set);
  return names.length > 0 && names.every((name) => name === 'model.order' || name === 'model.weights');
}

/** Returns the aim of the trial. With a limit of its own on what counts as failed, the targeted share is unknown. */
function aimOf({ aim = 1, atMost }: TrialPlan): Pick<Trial, 'aim'> {
  return aim < 1 && atMost === undefined ? { aim: Math.max(SMALLEST_AIM, aim) } : {};
}

/** Returns the smallest gain that the trial looks for, and the tasks that it can look at. */
function gainsOf(
  { smallestGain, tasksPerDay, past }: TrialPlan,
  days: number,
): Pick<Trial, 'smallestGain' | 'leastGain' | 'expected'> {
  const expected = Math.round(tasksPerDay * days);
  const leastGain = Math.max(smallestGain ?? 0, leastGainShown(expected, past));
  return { smallestGain: smallestGain ?? SMALLEST_GAIN, ...(leastGain > 0 && { leastGain }), expected };
}

/**
 * Returns the gain that `tasks` can tell from none. 0 if that is less than the default asks for anyway: it then decides
 * nothing.
 */
function leastGainShown(tasks: number, past: Trial['past']): number {
  const rate = past.tasks > 0 ? past.failures / past.tasks : 0;
  if (!(tasks > 0) || !(rate > 0)) return 0;
  const shown = Math.sqrt((TO_END_USELESS * rate * (1 - rate)) / tasks);
  return shown > Math.min(SMALLEST_GAIN, SMALLEST_PART * rate) ? Math.min(shown, MOST_OF_THE_RATE * rate) : 0;
}

/** Returns a block length that fits the minimum tasks, and the waits of the fix; 1 s to 6 h. */
function blockLength(plan: TrialPlan): number {
  const { tasksPerDay, longestWaitMs } = plan;
  const forTasks = tasksPerDay > 0 ? (TASKS_PER_BLOCK / tasksPerDay) * DAY_MS : MAX_BLOCK_MS;
  // If no reset was announced yet, callers learn the pace, and wait for as long as they may.
  const { waitsMs = 0 } = waitOf(plan);
  const forWaits = longestWaitMs < waitsMs ? blockMsFor(waitsMs) : 2 * longestWaitMs;
  return Math.ceil(Math.min(MAX_BLOCK_MS, Math.max(MIN_BLOCK_MS, forTasks, forWaits)));
}

/** Returns the length of a level that fits the tasks of one; 1 s to a day. */
function levelLength(tasksPerDay: number): number {
  const forTasks = tasksPerDay > 0 ? (TASKS_PER_LEVEL / tasksPerDay) * DAY_MS : DAY_MS;
  return Math.ceil(Math.min(DAY_MS, Math.max(MIN_BLOCK_MS, forTasks)));
}

/** Without time-outs and network errors: they show pressure on the remote side, but the arms do not share it. */
const SHARED_ISSUES = /* @__PURE__ */ sharedIssues();

function sharedIssues(): ReadonlySet<Issue> {
  const pressure = [...PRESSURE].filter((category: ErrorCategory) => category !== 'timeout');
  return new Set<Issue>([...pressure, 'quota_exceeded']);
}

const SHARED_SETTINGS = /^(limits?|rate|concurrency|breaker|spacing|queue)\./;
