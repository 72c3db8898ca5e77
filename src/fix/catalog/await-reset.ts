import type { ErrorCategory } from '../../contract/issue.js';
import { shareOf } from '../../lib/text.js';
import type { Candidate, CatalogEntry } from '../candidate.js';
import { LONGEST_RESET_MS, onlyRefused } from '../only-refused.js';
import { statedWaits } from '../stated-waits.js';

const MORE_ATTEMPTS = 2;

const BUSY: ReadonlySet<string> = new Set<ErrorCategory>(['overloaded', 'server_error', 'resource_exhausted']);

/**
 * Waits as long as a busy server asks: only the refused call first, then all callers, unless the host pays for that
 * anyway. The first rejected caller announces the wait, so all others wait without failing.
 * Attempts that only start later are not extra attempts, so the retry budget does not limit them.
 */
export const awaitReset: CatalogEntry = {
  name: 'await-announced-reset',
  match: (pattern) => pattern.kind === 'failure' && BUSY.has(pattern.issue),
  propose(pattern, context) {
    const { policy, mayRepeat } = context;
    const longestMs = Math.max(0, ...statedWaits(pattern));
    // A longer wait is an outage, which waiting inside a task cannot fix.
    if (longestMs === 0 || longestMs > LONGEST_RESET_MS || policy['limit.resetMs'] >= LONGEST_RESET_MS) return [];
    const retries = `retries.${pattern.issue as ErrorCategory}` as const; // `match` accepts only categories
    const waits = { 'limit.resetMs': LONGEST_RESET_MS };
    const fact = `${pattern.issue} ends ${shareOf(pattern.rate)} tasks, and the server says when it can be asked again (in up to ${longestMs} ms): all callers of a model wait for that`;
    const again = { ...waits, [retries]: Math.max(MORE_ATTEMPTS, policy[retries]) };
    const both: Candidate[] = [
      { set: again, safe: true, reason: `${fact}, then try again` },
      { set: waits, safe: true, reason: fact },
    ];
    return [...onlyRefused(pattern, context, MORE_ATTEMPTS), ...(mayRepeat === true ? both.slice(0, 1) : both)];
  },
};
