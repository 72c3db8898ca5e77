import { SETTINGS } from '../../contract/settings.js';
import { shareOf, whole } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { harmOf, TIMES_SLOWEST } from '../harms.js';

/** Multiple of the 99th percentile of successes after which a call counts as hanging. */
const TIMES_P99 = 2;
/** Largest share of the task's time-out for one attempt. Leaves time for a second attempt and the wait between. */
const PART_OF_TIME_OUT = 0.45;

/**
 * Stops hanging calls early enough for another attempt, based on how long successes take. If the limit would come close
 * to the slowest success, hanging calls and long work look alike, and a person decides.
 */
export const timeLimit: CatalogEntry = {
  name: 'time-limit-from-successes',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'timeout',
  propose(pattern, { policy, task }) {
    const { successMs } = task;
    if (!successMs) return [];
    const safeMs = TIMES_SLOWEST * (successMs.max ?? 0);
    const wantedMs = Math.max(MIN_LIMIT_MS, Math.ceil(Math.max(TIMES_P99 * successMs.p99, safeMs) / 100) * 100);
    const limitMs = Math.min(wantedMs, Math.floor((task.timedOutMs ?? Number.POSITIVE_INFINITY) * PART_OF_TIME_OUT));
    const present = policy['timeout.attemptMs'];
    const rule = SETTINGS['timeout.attemptMs'];
    // If nine of ten successes do not fit into half of the time, a second attempt would only cut off the first one.
    if (limitMs < Math.max(MIN_LIMIT_MS, successMs.p90)) return [];
    if (rule.type !== 'number' || limitMs > rule.max || (present > 0 && present <= limitMs)) return [];
    const set = { 'timeout.attemptMs': limitMs, 'retries.timeout': Math.max(1, policy['retries.timeout']) };
    const harm = harmOf(set, policy, task);
    return [
      {
        set,
        safe: harm === undefined,
        reason: `timeout ends ${shareOf(pattern.rate)} tasks, while 99 of 100 successes take at most ${whole(successMs.p99)} ms: give an attempt ${whole(limitMs)} ms and try once more${harm === undefined ? '' : `; ${harm}`}`,
      },
    ];
  },
};

/** Smallest limit. A shorter one would cut into the normal spread of a healthy service. */
const MIN_LIMIT_MS = 200;
