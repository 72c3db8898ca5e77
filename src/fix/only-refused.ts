import type { ErrorCategory } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import type { Policy } from '../contract/settings.js';
import type { Candidate } from './candidate.js';
import { statedWaits } from './stated-waits.js';

/** Longest wait that settings can make. Hosts that pay for it let all callers wait. */
export const LONGEST_RESET_MS = 60_000;

/**
 * Returns the cheapest remedy for refusals, in which only the refused call waits and is made again. Returns none if the
 * host pays for longer waits, which prevent more, or if the stated wait is not worth the price.
 */
export function onlyRefused(
  pattern: Pattern,
  { policy, mayRepeat, priceMs = LONGEST_RESET_MS }: OnlyRefusedContext,
  attempts: number,
): readonly Candidate[] {
  const waitMs = Math.max(0, ...statedWaits(pattern));
  if (mayRepeat === false || priceMs >= LONGEST_RESET_MS || waitMs > priceMs) return [];
  const retries = `retries.${pattern.issue as ErrorCategory}` as const; // entries of the catalog match categories alone
  const longer = waitMs > policy['backoff.maxMs'] ? { 'backoff.maxMs': waitMs } : {};
  const set = { [retries]: Math.max(attempts, policy[retries]), ...longer };
  const reason = `${pattern.count} calls were refused (${pattern.issue}): only a refused call waits, then tries again`;
  return [{ set, safe: true, reason }];
}

interface OnlyRefusedContext {
  readonly policy: Policy;
  readonly mayRepeat?: boolean;
  readonly priceMs?: number;
}
