import type { Pattern } from '../contract/pattern.js';
import { wilsonRate } from '../lib/statistics.js';
import type { Series } from './series.js';
import { BUCKETS_PER_WINDOW } from './timeline.js';
import { logTwoRates } from './two-rates.js';

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

/** e-value needed. In at most 1 of 40 streams whose rate never changes, some look at it reports a change. */
const NEEDED = 40;
/** Possible moments of a change are this many buckets apart, to bound the work per pattern. */
const STEP = 4;
/** Share of the range before the earliest moment, so that there is a rate to compare with. */
const EARLIEST = 0.25;

/** Range of buckets, both included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the direction in which the rate of a pattern changed within a range; undefined if a constant rate explains it.
 *
 * The evidence is an e-process: that of two rates, averaged over the moments at which the rate may have changed. A range with a fixed start may be looked at after every outcome without more false alarms.
 */
function findRateChange(occurrences: Series, outcomes: Series, range: Range): 'rising' | 'falling' | undefined {
  const { first, last } = range;
  const hits = cumulated(occurrences, range);
  const chances = cumulated(outcomes, range);
  const [count, of] = [hits.at(-1) ?? 0, Math.max(chances.at(-1) ?? 0, hits.at(-1) ?? 0)];
  const weight = STEP / BUCKETS_PER_WINDOW;
  let [evidence, most, direction] = [0, 0, 0];
  const earliest = Math.ceil(((last - first + 1) * EARLIEST) / STEP) * STEP;
  for (let moment = Math.max(STEP, earliest); moment <= last - first; moment += STEP) {
    const before = Math.min(hits[moment - 1] ?? 0, count);
    const ofBefore = Math.min(Math.max(chances[moment - 1] ?? 0, before), of - (count - before));
    const part = weight * Math.exp(logTwoRates([before, ofBefore], [count - before, of - ofBefore]));
    evidence += part;
    if (part <= most) continue;
    most = part;
    direction = (count - before) / (of - ofBefore) - before / ofBefore;
  }
  if (evidence < NEEDED) return undefined;
  return direction > 0 ? 'rising' : 'falling';
}

/** Returns the sum of a series up to each bucket of the range. */
function cumulated(series: Series, { first, last }: Range): readonly number[] {
  const counts = new Array<number>(last - first + 1).fill(0);
  series.addTo(counts, 0, { first, width: 1 });
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}
