import type { ErrorCategory } from '../../contract/issue.js';
import type { ModelStatistics } from '../../contract/task-statistics.js';
import { shareOf } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';

/** Allows a failed call to continue with the next model that the caller offers, if that was switched off. */
export const allowFallback: CatalogEntry = {
  name: 'allow-fallback',
  match: (pattern, { policy, task }) =>
    pattern.kind === 'failure' &&
    !policy['model.fallback'] &&
    offered(task.models).size > 1 &&
    OTHER_MODEL_HELPS.has(pattern.issue),
  propose: (pattern, { task }) => [
    {
      set: { 'model.fallback': true },
      // A person switched it off, so only a person may switch it on.
      safe: false,
      reason: `${pattern.issue} ends ${shareOf(pattern.rate)} tasks, and callers list ${offered(task.models).size} models: let a failed call go on with the next`,
    },
  ],
};

/** Returns the offered models, including those never called: with fallback off, only the first of a list is called. */
function offered(models: readonly ModelStatistics[]): ReadonlySet<string> {
  return new Set(models.flatMap(({ model, listedBeside }) => [model, ...listedBeside]));
}

const OTHER_MODEL_HELPS: ReadonlySet<string> = new Set<ErrorCategory>([
  'rate_limit',
  'quota_exceeded',
  'overloaded',
  'server_error',
  'timeout',
  'empty_response',
  'model_not_found',
  'context_length',
]);
