import { whole } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { placesNeeded } from '../harms.js';

const FULL: ReadonlySet<string> = new Set(['rate_limit', 'overloaded', 'server_error', 'resource_exhausted']);

/**
 * Lets calls wait for a place if the provider takes only so many at the same time. Proposes nothing if the tasks need as
 * many: they would queue without end.
 */
export const fewerAtOnce: CatalogEntry = {
  name: 'fewer-calls-at-once',
  match: ({ kind, issue, fullAt = 0 }, { policy, task }) =>
    kind === 'failure' && FULL.has(issue) && fullAt - 1 > placesNeeded(task) && policy['limit.concurrency'] === 0,
  propose({ fullAt = 0, count }) {
    const places = fullAt - 1;
    const most = `at least 18 of the latest 20 of ${whole(count)} refusals began with ${fullAt} or ${fullAt + 1} calls in flight`;
    const reason = `the provider takes ${places} calls at a time (${most}): further calls wait for a place`;
    return [{ set: { 'limit.concurrency': places }, safe: true, reason }];
  },
};
