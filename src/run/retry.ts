import type { ErrorCategory } from '../contract/issue.js';
import { PERMANENT, type Policy } from '../contract/settings.js';
import type { Random } from '../lib/random.js';

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
