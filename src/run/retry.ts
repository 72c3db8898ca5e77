import type { ErrorCategory } from '../contract/issue.js';
import { PERMANENT, type Policy } from '../contract/settings.js';
import type { Random } from '../lib/random.js';

/**
 * Returns the wait before extra attempt number `retry` (from 1): uniform between 0 and a bound that doubles each time
 * ("full jitter", Brooker 2015). Never shorter than the provider asked.
 * Returns `undefined` if the provider asks for a longer wait than the policy allows.
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
  // Added to the requested wait, so that callers given the same reset time do not all return together.
  return retryAfterMs + spread;
}

/** Returns how many times one task may retry after this kind of error. */
export function retriesFor(category: ErrorCategory, policy: Policy): number {
  return PERMANENT.has(category) ? 0 : policy[`retries.${category}`];
}
