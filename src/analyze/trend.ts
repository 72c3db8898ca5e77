import type { Pattern } from '../contract/pattern.js';
import { wilsonRate } from '../lib/statistics.js';
import { findRateChange } from './rate-change.js';
import type { Series } from './series.js';

/** Occurrences and opportunities to occur in a time range. */
export interface Stretch {
  readonly count: number;
  readonly of: number;
}

/** Silence counts as an end if its probability at the former rate is below this. */
const SILENCE_CHANCE = 0.01;

/** Returns whether no occurrence in `of` tasks is too unlikely at the former rate. */
export function isTooQuiet(former: Stretch, of: number): boolean {
  if (former.count === 0) return false;
  // Uses the lower bound of the former rate: a rate estimated from three cases may really be much smaller.
  return of * Math.log(1 - Math.min(0.999, wilsonRate(former.count, former.of).low)) < Math.log(SILENCE_CHANCE);
}

/** Time range of a trend, in buckets. */
export interface TrendWindow {
  /** First bucket of the window, or the one in which the task was first seen if that is later. */
  readonly first: number;
  readonly last: number;
}

/** Trend of a pattern, and its rate since it returned. */
export type Development = Pick<Pattern, 'trend' | 'sinceReturn'>;

/**
 * Returns the trend of a pattern. `occurrences` and `outcomes` have their counts in column 0. Every bucket of the first
 * must also be one of the second.
 *
 * `resolved`: the silence since the last occurrence is too long for chance, and longer than any previous one.
 * `returned`: the pattern came back from such a silence in the later half of the window. `new`: the pattern was first
 * seen in the later half, but the task was not. Otherwise a change of the rate is looked for.
 */
export function findTrend(occurrences: Series, outcomes: Series, window: TrendWindow): Development {
  const { first, last } = window;
  const middle = first + Math.ceil((last - first + 1) / 2);
  const { silent, returned } = walkSilences(occurrences, outcomes, last);
  if (silent) return { trend: 'resolved' };
  if (returned !== undefined && returned >= middle) {
    const of = outcomes.sum(0, returned, last);
    return { trend: 'returned', sinceReturn: { value: occurrences.sum(0, returned, last) / of, of } };
  }
  const start = occurrences.buckets[0] ?? last;
  if (start >= middle || first === last) return { trend: 'new' };
  return { trend: findRateChange(occurrences, outcomes, window) ?? 'steady' };
}

/** Makes one pass over both series, oldest bucket first. Tests every silence against the rate before it. */
function walkSilences(occurrences: Series, outcomes: Series, last: number) {
  let count = 0;
  let of = 0;
  let quiet = 0;
  let quietSince: number | undefined;
  let previous: number | undefined;
  let longest = 0;
  let returned: number | undefined;
  let next = 0;
  const endsSilence = (bucket: number) =>
    quietSince !== undefined &&
    previous !== undefined &&
    bucket - previous > longest &&
    isTooQuiet({ count, of }, quiet);
  for (let row = 0; row < outcomes.buckets.length; row++) {
    const bucket = outcomes.buckets[row] ?? 0;
    if (bucket > last) break;
    next = firstRowFrom(occurrences, bucket, next);
    if (occurrences.buckets[next] !== bucket) {
      if (previous === undefined) continue;
      quietSince ??= bucket;
      quiet += outcomes.at(row, 0);
      continue;
    }
    if (endsSilence(bucket)) returned = bucket;
    if (previous !== undefined) longest = Math.max(longest, bucket - previous);
    count += occurrences.at(next, 0);
    of += quiet + outcomes.at(row, 0);
    quiet = 0;
    quietSince = undefined;
    previous = bucket;
  }
  return { silent: endsSilence(last), returned };
}

/** Returns the first row, from `row` on, that is not before a bucket. */
function firstRowFrom({ buckets }: Series, bucket: number, row: number): number {
  let next = row;
  while ((buckets[next] ?? Number.POSITIVE_INFINITY) < bucket) next++;
  return next;
}
