import type { Candidate, CatalogEntry } from '../candidate.js';
import { harmOf } from '../harms.js';
import { LONGEST_RESET_MS, onlyRefused } from '../only-refused.js';
import { describeMs, isLimitOfOneKey, readRequestLimit } from '../read-limits.js';

/** Share of the stated limit left unused, because other programs may use the same key. */
const MARGIN = 0.1;

const MORE_ATTEMPTS = 2;

/**
 * Waits until the provider accepts calls again. The cheapest way comes first: only refused calls wait. All callers wait
 * for resets, for the pace that the provider grants and for the limit that it states only if the host's price allows
 * such a wait, or if nothing may be called again. Proposes nothing if the stated limit belongs to one key of several.
 */
export const respectRateLimit: CatalogEntry = {
  name: 'respect-rate-limit',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'rate_limit',
  propose(pattern, context) {
    const { policy, task, mayRepeat, priceMs = LONGEST_RESET_MS } = context;
    const waits = { 'limit.resetMs': LONGEST_RESET_MS } as const;
    const again = { ...waits, 'retries.rate_limit': Math.max(MORE_ATTEMPTS, policy['retries.rate_limit']) } as const;
    // Waiting helps all callers except the first, so it is worth trying even if no call may be repeated.
    const ways = mayRepeat === true ? [again] : [again, waits];
    const limit = readRequestLimit(pattern.examples);
    if (limit && isLimitOfOneKey(limit, task)) return [];
    const isPatient = priceMs >= LONGEST_RESET_MS;
    const spacing = limit && isPatient ? Math.ceil(limit.perMs / limit.requests / (1 - MARGIN)) : 0;
    const candidates: Candidate[] = [...onlyRefused(pattern, context, MORE_ATTEMPTS)];
    for (const way of ways) {
      const then = 'retries.rate_limit' in way ? ', then try again' : '';
      const paced = { 'limit.spacingMs': spacing, ...way };
      if (limit && spacing > policy['limit.spacingMs'] && harmOf(paced, policy, task) === undefined) {
        candidates.push({
          set: paced,
          safe: true,
          reason: `the provider states a limit of ${limit.requests} requests in ${describeMs(limit.perMs)}: begin one at most every ${spacing} ms, and wait for its quota${then}`,
        });
      }
      if (policy['limit.resetMs'] < LONGEST_RESET_MS) {
        candidates.push({
          set: way,
          safe: true,
          reason: `${pattern.count} calls hit a rate limit: all callers of a model wait for the resets it announces and keep to the pace it grants, for up to ${describeMs(LONGEST_RESET_MS)}${then}`,
        });
      }
    }
    return candidates;
  },
};
