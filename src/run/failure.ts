import { LoopError, type LoopErrorCode } from '../contract/errors.js';
import type { ErrorCategory, Issue } from '../contract/issue.js';
import { PRESSURE } from '../contract/settings.js';

/** What is known of a failed attempt when the next step is chosen. */
export interface Failure {
  readonly issue: Issue;
  /** Whose settings hold for it. */
  readonly category: ErrorCategory;
  /** The wait the other side asked for. */
  readonly retryAfterMs?: number | undefined;
  /** The same call fails again, whatever its category: an expired certificate, a full disk. */
  readonly permanent?: boolean | undefined;
}

/** Classifies an error, with the user's own rules. */
export type Classify = (error: unknown) => Omit<Failure, 'issue'> & { readonly issue?: Issue };

export function readFailure(error: unknown, classify: Classify): Failure {
  const ours = LoopError.is(error) ? CATEGORY_OF_OURS[error.code] : undefined;
  if (ours !== undefined) return { issue: ours, category: ours };
  const { category, issue = category, retryAfterMs, permanent } = classify(error);
  return { issue, category, retryAfterMs, permanent };
}

const CATEGORY_OF_OURS: { readonly [Code in LoopErrorCode]?: ErrorCategory } = {
  'timed-out': 'timeout',
  'queue-full': 'overloaded',
  'breaker-open': 'overloaded',
};

/** How long a model that failed like this is first asked last; absent for errors of one request. */
const COOL_DOWN_MS: { readonly [Category in ErrorCategory]?: number } = {
  rate_limit: 1_000,
  overloaded: 1_000,
  resource_exhausted: 1_000,
  auth: 60_000,
  permission: 60_000,
  quota_exceeded: 60_000,
  model_not_found: 60_000,
};
/** Longest that is made of failures in a row. */
const MAX_GROWN_MS = 300_000;
/** Longest that a provider can ask for. */
const MAX_ASKED_MS = 3_600_000;

/** What the provider asked for; else by the kind of error, doubled with each failure in a row. */
export function coolDownMs({ category, retryAfterMs }: Failure, inRow: number): number | undefined {
  const first = COOL_DOWN_MS[category];
  if (retryAfterMs !== undefined && (first !== undefined || PRESSURE.has(category))) {
    return Math.min(retryAfterMs, MAX_ASKED_MS);
  }
  return first === undefined ? undefined : Math.min(MAX_GROWN_MS, first * 2 ** inRow);
}

/** Errors that belong to the request: they say nothing about the health of what was asked. */
export const OWN_FAULT: ReadonlySet<ErrorCategory> = new Set([
  'validation',
  'context_length',
  'content_filter',
  'not_found',
  'cancelled',
]);

/** Errors another model would answer with too, or that nobody should carry to another model unasked. */
export const NO_FALLBACK: ReadonlySet<ErrorCategory> = new Set(['validation', 'content_filter', 'cancelled']);
