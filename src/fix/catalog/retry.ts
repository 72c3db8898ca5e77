import type { ErrorCategory } from '../../contract/issue.js';
import { PRESSURE, SETTINGS } from '../../contract/settings.js';
import { shareOf } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { patientRetries } from '../patient-retries.js';

/** Errors that are often transient, with the number of extra attempts worth trying. */
const EXTRA_ATTEMPTS: ReadonlyMap<string, number> = new Map([
  ['network', 2],
  ['server_error', 2],
  ['overloaded', 2],
  ['empty_response', 1],
  ['parse_error', 1],
] satisfies [ErrorCategory, number][]);

/**
 * Retries errors that are often transient. Waits between attempts are random and grow, so that callers spread out. They
 * are longer if a server refuses more tasks than the retry budget can call again: quick retries make that worse.
 */
export const retryTransient: CatalogEntry = {
  name: 'retry-transient',
  match: (pattern) => pattern.kind === 'failure' && EXTRA_ATTEMPTS.has(pattern.issue),
  propose(pattern, context) {
    const { policy } = context;
    // The executor never waits longer than this for a server, so nothing would be called again.
    const { retryAfterMs = 0 } = pattern;
    if (retryAfterMs > Math.max(policy['backoff.maxMs'], policy['limit.resetMs'])) return [];
    const name = `retries.${pattern.issue as ErrorCategory}` as const; // `match` accepts only keys of the map
    const rule = SETTINGS[name];
    const most = rule.type === 'number' ? rule.max : 0;
    const attempts = Math.min(most, policy[name] + (EXTRA_ATTEMPTS.get(pattern.issue) ?? 0));
    if (attempts <= policy[name]) return [];
    const set = (PRESSURE.has(pattern.issue as ErrorCategory) && patientRetries(pattern, context)) || {
      [name]: attempts,
    };
    return [
      {
        set,
        safe: true,
        reason: `${pattern.issue} ends ${shareOf(pattern.rate)} tasks; errors of this class often pass when the call is made again: up to ${set[name]} more attempts`,
      },
    ];
  },
};
