import { LoopError } from '../contract/errors.js';
import type { Pattern } from '../contract/pattern.js';
import type { Scope } from '../contract/scope.js';
import type { Policy, Settings } from '../contract/settings.js';
import type { AtMost, TaskStatistics } from '../contract/task-statistics.js';

/** What a catalog entry may look at. */
export interface CatalogContext {
  /** The pattern's task: its volume, durations and models. */
  readonly task: TaskStatistics;
  /** The settings in force for that task, without any arm. */
  readonly policy: Policy;
  /** Returns the settings in force for those of its tasks that want this model. */
  readonly policyOf: (model: string) => Policy;
  /** Whether tasks of this name may run again after a failure; absent while nobody has said so. */
  readonly mayRepeat?: boolean;
  /** How likely each of its models with at least 20 outcomes is to be the one that fails least; sums to 1. */
  readonly modelShares: Readonly<Record<string, number>>;
}

/** A change somebody thinks would help, with the numbers it was chosen from. */
export interface Candidate {
  /** Where it applies, beyond the pattern's task. */
  readonly scope?: Omit<Scope, 'task'>;
  readonly set: Settings;
  /** One sentence for a person: why this change, from which numbers. */
  readonly reason: string;
  /** For slow or costly tasks: what a trial counts as failed besides failures. */
  readonly atMost?: AtMost;
  /** May be tried without a person. Default false. */
  readonly safe?: boolean;
}

/** One way to mend one sort of pattern. */
export interface CatalogEntry {
  /** Shown by `explain`. */
  readonly name: string;
  match(pattern: Pattern, context: CatalogContext): boolean;
  /** Best first; the first one that was not yet tried in vain is proposed. */
  propose(pattern: Pattern, context: CatalogContext): readonly Candidate[];
}

/** @throws LoopError `invalid-input` for what is no catalog entry. */
export function checkEntry(entry: CatalogEntry): void {
  if (isEntry(entry)) return;
  throw new LoopError(
    'invalid-input',
    'a catalog entry needs name, match(pattern, context) and propose(pattern, context)',
  );
}

function isEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  try {
    const { name, match, propose } = entry as Record<string, unknown>; // an object may be asked for any key
    return typeof name === 'string' && typeof match === 'function' && typeof propose === 'function';
  } catch {
    return false; // a proxy or a getter that throws
  }
}
