import type { Candidate, CatalogEntry } from '../candidate.js';
import { readRequestLimit } from '../read-limits.js';

/** Longest wait for the provider's quota. Beyond it, waiting inside a task does not help. */
const LONGEST_RESET_MS = 60_000;
/** Share of the stated limit left unused, because other programs may use the same key. */
const MARGIN = 0.1;

/** Stays under the limit that the provider states, waits for announced resets and follows the pace that it grants. */
export const respectRateLimit: CatalogEntry = {
  name: 'respect-rate-limit',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'rate_limit',
  propose(pattern, { policy, mayRepeat }) {
    const waits = { 'limit.resetMs': LONGEST_RESET_MS } as const;
    const again = { ...waits, 'retries.rate_limit': Math.max(2, policy['retries.rate_limit']) } as const;
    // Waiting helps all callers except the first, so it is worth trying even if no call may be repeated.
    const ways = mayRepeat === true ? [again] : [again, waits];
    const limit = readRequestLimit(pattern.examples);
    const spacing = limit ? Math.ceil(limit.perMs / limit.requests / (1 - MARGIN)) : 0;
    const candidates: Candidate[] = [];
    for (const way of ways) {
      const then = 'retries.rate_limit' in way ? ', then try again' : '';
      if (limit && spacing > policy['limit.spacingMs']) {
        candidates.push({
          set: { 'limit.spacingMs': spacing, ...way },
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
    if (policy['limit.concurrency'] === 0) {
      candidates.push({
        set: { 'limit.concurrency': FEW_AT_ONCE },
        safe: true,
        reason: `${pattern.count} calls hit a rate limit and no limit was stated: at most ${FEW_AT_ONCE} parallel calls of a model`,
      });
    }
    return candidates;
  },
};

const FEW_AT_ONCE = 4;

function describeMs(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`;
}
