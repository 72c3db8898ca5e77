import type { ErrorCategory } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import type { Settings } from '../contract/settings.js';
import { wilsonRate } from '../lib/statistics.js';
import type { CatalogContext } from './candidate.js';
import { statedWaits } from './stated-waits.js';

/** Share of refused tasks that the retry budget can call again. */
const BUDGET = 0.1;
const ATTEMPTS = 4;

/**
 * Returns retries for a server that clearly refuses more tasks than the retry budget can call again. Their waits begin at
 * the median duration of a success, after which a place may be free, so that the budget is not spent on calls that are
 * soon refused again. Together they stay below the price. Returns undefined if the server refuses fewer tasks or says
 * when to come back, or if durations are unknown.
 */
export function patientRetries(
  pattern: Pick<Pattern, 'issue' | 'rate' | 'retryAfterMs' | 'examples'>,
  {
    policy,
    task: { successMs },
    priceMs = Number.POSITIVE_INFINITY,
  }: Pick<CatalogContext, 'policy' | 'task' | 'priceMs'>,
): Settings | undefined {
  const { value, of } = pattern.rate;
  const isCrowded = wilsonRate(value * of, of).low > BUDGET && statedWaits(pattern).length === 0;
  if (!isCrowded || successMs === undefined) return undefined;
  const retries = `retries.${pattern.issue as ErrorCategory}` as const; // entries of the catalog match categories alone
  const baseMs = Math.round(Math.min(successMs.p50, priceMs / 2 ** ATTEMPTS));
  const longestMs = baseMs * 2 ** (ATTEMPTS - 1);
  return {
    [retries]: Math.max(ATTEMPTS, policy[retries]),
    ...(baseMs > policy['backoff.baseMs'] && { 'backoff.baseMs': baseMs }),
    ...(longestMs > policy['backoff.maxMs'] && { 'backoff.maxMs': longestMs }),
  };
}
