import type { ErrorCategory } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import { whole } from '../lib/text.js';
import type { Candidate, CatalogContext } from './candidate.js';
import { patientRetries } from './patient-retries.js';
import { statedWaits } from './stated-waits.js';

/** Longest wait that settings can make. Hosts that pay for it let all callers wait. */
export const LONGEST_RESET_MS = 60_000;

/**
 * Returns the cheapest remedy for refusals, in which only the refused call waits and is made again. Returns none if the
 * host pays for longer waits, which prevent more, or if the stated wait is not worth the price.
 */
export function onlyRefused(pattern: Pattern, context: OnlyRefusedContext, attempts: number): readonly Candidate[] {
  const { policy, mayRepeat, priceMs = LONGEST_RESET_MS } = context;
  const waitMs = Math.max(0, ...statedWaits(pattern));
  if (mayRepeat === false || priceMs >= LONGEST_RESET_MS || waitMs > priceMs) return [];
  const retries = `retries.${pattern.issue as ErrorCategory}` as const; // entries of the catalog match categories alone
  const longer = waitMs > policy['backoff.maxMs'] ? { 'backoff.maxMs': waitMs } : {};
  const quick = { [retries]: Math.max(attempts, policy[retries]), ...longer };
  const set = patientRetries(pattern, context) ?? quick;
  const reason = `${whole(pattern.count)} calls were refused (${pattern.issue}): only a refused call waits, then tries again`;
  return [{ set, safe: true, reason }];
}

type OnlyRefusedContext = Pick<CatalogContext, 'policy' | 'mayRepeat' | 'priceMs' | 'task'>;
