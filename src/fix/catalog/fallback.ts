import { percent } from '../../lib/text.js';
import type { ErrorCategory } from '../../records.js';
import type { CatalogEntry } from '../candidate.js';

/** Lets a failed call go on with the next model the caller offers, where that was switched off. */
export const allowFallback: CatalogEntry = {
  name: 'allow-fallback',
  match: (pattern, { policy, task }) =>
    pattern.kind === 'failure' &&
    !policy['model.fallback'] &&
    task.models.length > 1 &&
    OTHER_MODEL_HELPS.has(pattern.issue),
  propose: (pattern, { task }) => [
    {
      set: { 'model.fallback': true },
      // A person switched it off; only a person switches it on.
      safe: false,
      reason: `${pattern.issue} ends ${percent(pattern.rate.value)} of ${pattern.rate.of} tasks, and ${task.models.length} models are in use: let a failed call go on with the next`,
    },
  ],
};

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
