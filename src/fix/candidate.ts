import { LoopError } from '../contract/errors.js';
import type { Pattern } from '../contract/pattern.js';
import type { Scope } from '../contract/scope.js';
import type { Policy, Settings } from '../contract/settings.js';
import type { AtMost, TaskStatistics } from '../contract/task-statistics.js';

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
  /** For slow or costly tasks: limits above which a trial also counts a task as failed. */
  readonly atMost?: AtMost;
  /** Whether it may be tried without a person. Default false. */
  readonly safe?: boolean;
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
