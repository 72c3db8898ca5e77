import type { PolicyChange } from '../../contract/change.js';
import type { ChangeKind } from '../../contract/change-kind.js';
import type { Issue } from '../../contract/issue.js';
import type { JsonObject } from '../../contract/json.js';
import type { TaskStatistics } from '../../contract/task-statistics.js';
import type { Trigger, UnitKind } from '../../contract/trial.js';
import { PolicyProposals, type PolicyProposalsOptions } from '../policy-proposals.js';
import { policyInForce } from './in-force.js';

export interface PolicyKindOptions extends PolicyProposalsOptions {
  /** Whether safe fixes are tried without a person. */
  readonly autoFix: boolean;
  /** Returns the unit that a trial of these settings for this issue has to randomise. */
  readonly unitFor: (issue: Issue, settings: readonly string[], task?: TaskStatistics) => UnitKind;
  /** Returns the result of first attempts that the settings can affect; `undefined` if they affect all tasks. */
  readonly triggerOf: (set: JsonObject, undo: JsonObject) => Trigger | undefined;
  /** Returns the longest wait under the change. */
  readonly longestWaitMs: (change: PolicyChange, announcedMs: readonly number[]) => number;
}

/** Creates the kind `policy`: settings that `loop.run` reads when a task begins. */
export function policyKind(options: PolicyKindOptions): ChangeKind<PolicyChange> {
  const { autoFix, repeats, unitFor, triggerOf, longestWaitMs } = options;
  const proposals = new PolicyProposals(options);
  return {
    ...policyInForce,
    propose: (facts) => proposals.propose(facts),
    isAlike: (one, other) => closeTo(one, other),
    unit: ({ set }, issue, task) => unitFor(issue, Object.keys(set), task),
    needs: (_, { task }) =>
      task && task.managed >= MIN_MANAGED
        ? undefined
        : `call loop.run(${JSON.stringify(task?.task ?? '')}, ...) so that its tasks read their policy`,
    approval: ({ change: { set }, safe, forecast }, { task }) => {
      if (!autoFix || !safe || forecast.kind !== 'testable' || !task || task.managed < MIN_MANAGED) return undefined;
      return repeats.forbids(set, task) || repeats.question(set, task) ? undefined : SAFE;
    },
    trigger: ({ set, undo }, task) => (listsAttempts(task) ? triggerOf(set, undo) : undefined),
    longestWaitMs,
  };
}

const SAFE = 'safe: inside the fixed bounds, and confirmed or rolled back by a trial';

/** Tasks that must have read their policy before a changed policy can be tried on them. */
const MIN_MANAGED = 20;

/** Minimum share of recent failures with listed attempts, for a trial that uses the result of first attempts. */
const LISTED = 0.9;

/**
 * Returns whether the task's failures list their attempts. If a host retries without listing attempts, one arm would
 * meet a trigger more often than the other.
 */
function listsAttempts({ attempted, failures }: TaskStatistics): boolean {
  return failures > 0 && attempted >= LISTED * failures;
}

/** Returns whether two sets of settings are equivalent: the same names, with numbers within a quarter of each other. */
function closeTo(one: JsonObject, other: JsonObject): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const [a, b] = [one[name], other[name]];
    // Weights follow the newest counts, so other weights are no other idea.
    if (name === 'model.weights') return a !== undefined && b !== undefined;
    if (typeof a !== 'number' || typeof b !== 'number') return JSON.stringify(a) === JSON.stringify(b);
    return Math.abs(a - b) <= 0.25 * Math.max(Math.abs(a), Math.abs(b));
  });
}
