import { LoopError, type LoopErrorCode } from '../contract/errors.js';
import type { ErrorCategory, Issue } from '../contract/issue.js';
import { PRESSURE } from '../contract/settings.js';

/** Properties of a failed attempt, used to choose the next step. */
export interface Failure {
  readonly issue: Issue;
  /** Category whose settings apply. */
  readonly category: ErrorCategory;
  /** Wait that the provider asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the same call would fail again in any category: an expired certificate, a full disk. */
  readonly permanent?: boolean | undefined;
  /** Whether the error says that a signal aborted the work, without saying whose. */
  readonly isAbort?: boolean | undefined;
}

/** Classifies an error, including user-defined rules. */
export type Classify = (error: unknown) => Omit<Failure, 'issue'> & { readonly issue?: Issue };

export function readFailure(error: unknown, classify: Classify): Failure {
  const ours = LoopError.is(error) ? CATEGORY_OF_OURS[error.code] : undefined;
  if (ours !== undefined) return { issue: ours, category: ours };
  const { category, issue = category, retryAfterMs, permanent, isAbort } = classify(error);
  return isAbort ? { issue, category, isAbort } : { issue, category, retryAfterMs, permanent };
}

const CATEGORY_OF_OURS: { readonly [Code in LoopErrorCode]?: ErrorCategory } = {
  'timed-out': 'timeout',
  'queue-full': 'overloaded',
  'breaker-open': 'overloaded',
};

/** First cool-down of a model after a failure of this category. Absent for errors of a single request. */
const COOL_DOWN_MS: { readonly [Category in ErrorCategory]?: number } = {
  rate_limit: 1_000,
  overloaded: 1_000,
  resource_exhausted: 1_000,
  auth: 60_000,
  permission: 60_000,
  quota_exceeded: 60_000,
  model_not_found: 60_000,
};
/** Longest cool-down that consecutive failures can grow to. */
const MAX_GROWN_MS = 300_000;
/** Longest cool-down that a provider can ask for. */
const MAX_ASKED_MS = 3_600_000;

/** Returns how long to try the model last: the provider's wait, else by category, doubled per consecutive failure. */
export function coolDownMs({ category, retryAfterMs }: Failure, inRow: number): number | undefined {
  const first = COOL_DOWN_MS[category];
  if (retryAfterMs !== undefined && (first !== undefined || PRESSURE.has(category))) {
    return Math.min(retryAfterMs, MAX_ASKED_MS);
  }
  return first === undefined ? undefined : Math.min(MAX_GROWN_MS, first * 2 ** inRow);
}

/** Errors caused by the request itself. They say nothing about the health of the model. */
export const OWN_FAULT: ReadonlySet<ErrorCategory> = new Set([
  'validation',
  'context_length',
  'content_filter',
  'not_found',
  'cancelled',
]);

/** Errors that another model would return too, or that must not reach another model without consent. */
export const NO_FALLBACK: ReadonlySet<ErrorCategory> = new Set(['validation', 'content_filter', 'cancelled']);
