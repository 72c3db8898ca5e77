import type { Random } from '../lib/random.js';
import { PERMANENT, type Policy } from '../policy.js';
import type { ErrorCategory } from '../records.js';

/**
 * Wait before the extra attempt number `retry` (from 1): evenly spread between 0 and a bound that doubles each time
 * ("full jitter", Brooker 2015), and never earlier than the other side asked. Nothing when it asks for longer than
 * the policy waits.
 */
export function backoffMs(
  retry: number,
  retryAfterMs: number | undefined,
  policy: Policy,
  random: Random,
): number | undefined {
  const maxMs = policy['backoff.maxMs'];
  const spread = random() * Math.min(maxMs, policy['backoff.baseMs'] * 2 ** (retry - 1));
  if (retryAfterMs === undefined) return spread;
  if (retryAfterMs > Math.max(maxMs, policy['limit.resetMs'])) return undefined;
  // On top of what was asked, so that callers who were all told the same moment do not come back in it together.
  return retryAfterMs + spread;
}

/** How often one task may ask again after this kind of error. */
export function retriesFor(category: ErrorCategory, policy: Policy): number {
  return PERMANENT.has(category) ? 0 : policy[`retries.${category}`];
}

/** How long a model that failed like this is asked last, unless it said so itself; absent for errors of one request. */
export const COOL_DOWN_MS: { readonly [Category in ErrorCategory]?: number } = {
  rate_limit: 5_000,
  overloaded: 5_000,
  resource_exhausted: 5_000,
  auth: 60_000,
  permission: 60_000,
  quota_exceeded: 300_000,
  model_not_found: 300_000,
};

/** Longest cool-down a provider can ask for. */
export const MAX_COOL_DOWN_MS = 3_600_000;

/** Errors that belong to the request: they say nothing about the health of what was asked. */
export const OWN_FAULT: ReadonlySet<ErrorCategory> = new Set([
  'validation',
  'context_length',
  'content_filter',
  'not_found',
  'cancelled',
]);

/** Errors another model would answer with too, or that nobody should carry to another model by himself. */
export const NO_FALLBACK: ReadonlySet<ErrorCategory> = new Set(['validation', 'content_filter', 'cancelled']);
