import type { Clock } from '../contract/clock.js';
import type { Issue } from '../contract/issue.js';
import type { Json, JsonObject } from '../contract/json.js';
import { isObject } from '../lib/is-object.js';
import type { BreakerState } from './breaker.js';
import type { ModelStates, SavedModelState } from './model-state.js';
import type { PaceState } from './pace.js';
import type { Report } from './problem.js';

/** Longest remaining time of a saved state. A larger value means a clock jump or a file of another program. */
const MAX_LEFT_MS = 3_600_000;
/** Upper limit of saved counts: more than any window counts. */
const MAX_COUNT = 1_000_000;
const MAX_ENTRIES = 2_000;
/** A rate below one call per day is ignored. */
const SLOWEST_PER_MS = 1 / 86_400_000;

/** Returns the state of models and tasks as JSON: breakers, announced resets, cool-downs and retry budgets. */
export function saveRunState(models: ModelStates, clock: Clock): JsonObject {
  const nowMs = clock.monotonic();
  const saved = [...models.entries()].map(({ kind, name, state }) => ({ kind, name, ...toJson(state.save(nowMs)) }));
  return { savedMs: clock.now(), models: saved };
}

/** Restores the state of another process. Unreadable parts are reported and left out. Amounts and times are capped. */
export function restoreRunState(state: unknown, models: ModelStates, clock: Clock, report: Report): void {
  const list = isObject(state) ? state.models : undefined;
  if (!isObject(state) || !Array.isArray(list)) {
    report({ where: 'run.restore', message: 'the saved state has no list of models: it was ignored' });
    return;
  }
  const passedMs = readAmount(clock.now() - Number(state.savedMs), Number.MAX_SAFE_INTEGER);
  let unread = 0;
  for (const entry of list.slice(0, MAX_ENTRIES) as unknown[]) {
    const saved = readModelState(entry, passedMs);
    if (saved === undefined) unread++;
    else models.of(saved.name, saved.model).restore(saved.state, clock.monotonic());
  }
  if (unread > 0) report({ where: 'run.restore', message: `${unread} entries of the saved state could not be read` });
}

interface SavedEntry {
  readonly name: string;
  /** The same name if it is the name of a model, not of a task. */
  readonly model: string | undefined;
  readonly state: SavedModelState;
}

function readModelState(entry: unknown, passedMs: number): SavedEntry | undefined {
  if (!isObject(entry)) return undefined;
  const { name, kind, budget, breaker } = entry;
  if (typeof name !== 'string' || !isObject(budget)) return undefined;
  const left = (value: unknown) => Math.max(0, readAmount(value, MAX_LEFT_MS) - passedMs);
  const state: SavedModelState = {
    budget: {
      tasks: readAmount(budget.tasks, MAX_COUNT),
      pressure: readAmount(budget.pressure, MAX_COUNT),
      other: readAmount(budget.other, MAX_COUNT),
    },
    resetInMs: left(entry.resetInMs),
    coolInMs: left(entry.coolInMs),
    coolings: readAmount(entry.coolings, MAX_COUNT),
    ...readPace(entry.pace),
    ...(isObject(breaker) && { breaker: readBreaker(breaker, passedMs, left) }),
  };
  return { name, model: kind === 'model' ? name : undefined, state };
}

function readPace(saved: unknown): { readonly pace?: PaceState } {
  if (!isObject(saved)) return {};
  const [perMs, burst] = [readAmount(saved.perMs, MAX_COUNT), readAmount(saved.burst, MAX_COUNT)];
  return perMs >= SLOWEST_PER_MS ? { pace: { perMs, burst: Math.max(1, burst) } } : {};
}

function readBreaker(saved: Fields, passedMs: number, left: (value: unknown) => number): BreakerState {
  const issue: Issue = typeof saved.issue === 'string' ? saved.issue : 'unknown';
  return {
    inRow: readAmount(saved.inRow, MAX_COUNT),
    calls: readAmount(saved.calls, MAX_COUNT),
    failures: readAmount(saved.failures, MAX_COUNT),
    ageMs: readAmount(saved.ageMs, MAX_LEFT_MS) + passedMs,
    ...(saved.probeInMs !== undefined && { probeInMs: left(saved.probeInMs), issue }),
  };
}

/** Returns a number from 0 to `max`; 0 for anything else. */
function readAmount(value: unknown, max: number): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, max) : 0;
}

type Fields = Readonly<Record<string, unknown>>;

function toJson(state: SavedModelState): { readonly [key: string]: Json } {
  const { budget, breaker, pace, ...times } = state;
  const known = pace !== undefined && { pace: { ...pace } };
  return { ...times, budget: { ...budget }, ...known, ...(breaker !== undefined && { breaker: { ...breaker } }) };
}
