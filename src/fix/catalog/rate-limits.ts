import { whole } from '../../lib/text.js';
import type { Candidate, CatalogEntry } from '../candidate.js';
import { LONGEST_RESET_MS, onlyRefused } from '../only-refused.js';
import { describeMs, isLimitOfOneKey, readRequestLimit } from '../read-limits.js';

const MORE_ATTEMPTS = 2;

/**
 * Waits until the provider accepts calls again. The cheapest way comes first: only refused calls wait. All callers wait
 * for resets and for the pace that the provider grants only if the host's price allows such a wait, or if nothing may be
 * called again. Proposes nothing if the stated limit belongs to one key of several.
 */
export const respectRateLimit: CatalogEntry = {
  name: 'respect-rate-limit',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'rate_limit',
  propose(pattern, context) {
    const { policy, task, mayRepeat } = context;
    const waits = { 'limit.resetMs': LONGEST_RESET_MS } as const;
    const again = { ...waits, 'retries.rate_limit': Math.max(MORE_ATTEMPTS, policy['retries.rate_limit']) } as const;
    // Waiting helps all callers except the first, so it is worth trying even if no call may be repeated.
    const ways = mayRepeat === true ? [again] : [again, waits];
    const limit = readRequestLimit(pattern.examples);
    if (limit && isLimitOfOneKey(limit, task)) return [];
    const stated = limit ? ` of ${limit.requests} requests in ${describeMs(limit.perMs)}` : '';
    const candidates: Candidate[] = [...onlyRefused(pattern, context, MORE_ATTEMPTS)];
    for (const way of ways) {
      const then = 'retries.rate_limit' in way ? ', then try again' : '';
      if (policy['limit.resetMs'] < LONGEST_RESET_MS) {
        candidates.push({
          set: way,
          safe: true,
          reason: `${whole(pattern.count)} calls hit a rate limit${stated}: all callers of a model wait for the resets it announces and keep to the pace it grants, for up to ${describeMs(LONGEST_RESET_MS)}${then}`,
        });
      }
    }
    return candidates;
  },
};
