import { LoopError } from '../contract/errors.js';
import type { Pattern } from '../contract/pattern.js';
import type { Scope } from '../contract/scope.js';
import type { Policy, Settings } from '../contract/settings.js';
import type { AtMost, TaskStatistics } from '../contract/task-statistics.js';
import type { UnitKind } from '../contract/trial.js';

/** Information that a catalog entry may use. */
export interface CatalogContext {
  /** Statistics of the pattern's task: volume, durations and models. */
  readonly task: TaskStatistics;
  /** Settings in force for that task, without any arm. */
  readonly policy: Policy;
  /** The host's own settings. Default: none. */
  readonly own?: Settings;
  /** Returns the settings in force for its tasks that want this model. */
  readonly policyOf: (model: string) => Policy;
  /** Longest wait that a prevented failure of the task is worth, in milliseconds. Default: any wait. */
  readonly priceMs?: number;
  /** Whether tasks of this name may run again after a failure; absent while unknown. */
  readonly mayRepeat?: boolean;
  /** Probability that each model with at least 20 outcomes has the lowest failure rate; sums to 1. */
  readonly modelShares: Readonly<Record<string, number>>;
}

/** Change that may help, with the numbers it is based on. */
export interface Candidate {
  /** Scope beyond the pattern's task. */
  readonly scope?: Omit<Scope, 'task'>;
  readonly set: Settings;
  /** One sentence for a person: why this change, based on which numbers. */
  readonly reason: string;
  /** Limits above which a trial also counts a task as failed: for slow or costly tasks, or those of several calls. */
  readonly atMost?: AtMost;
  /** Share of tasks that fail as the trial counts them, for the forecast. Default: the failure rate of the task. */
  readonly failing?: number;
  /** Whether it may be tried without a person. Default false. */
  readonly safe?: boolean;
  /**
   * Unit that its trial randomises. Default: blocks if tasks share a resource, sessions if the setting is the host's own
   * and sessions have several tasks, otherwise tasks. State `task` only if no task affects a later one.
   */
  readonly unit?: UnitKind;
}

/** Remedy for one kind of pattern. */
export interface CatalogEntry {
  /** Name shown by `explain`. */
  readonly name: string;
  match(pattern: Pattern, context: CatalogContext): boolean;
  /** Returns candidates, best first. The first one that was not already tried without success is proposed. */
  propose(pattern: Pattern, context: CatalogContext): readonly Candidate[];
}

/**
 * Checks a catalog entry.
 * @throws LoopError `invalid-input` if it is not one.
 */
export function checkEntry(entry: CatalogEntry): void {
  if (isEntry(entry)) return;
  throw new LoopError(
    'invalid-input',
    'a catalog entry needs name, match(pattern, context) and propose(pattern, context)',
  );
}

function isEntry(entry: unknown): boolean {
  try {
    const { name, match, propose } = entry as Record<string, unknown>; // reading keys of `null` throws
    return typeof name === 'string' && typeof match === 'function' && typeof propose === 'function';
  } catch {
    return false; // `null`, a proxy, or a getter that throws
  }
}
