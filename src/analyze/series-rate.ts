import type { Rate } from '../contract/rate.js';
import { batchRate } from '../lib/batch-rate.js';
import type { Series } from './series.js';
import type { Timeline } from './timeline.js';

/** Batches per window: long enough to contain a burst, numerous enough to estimate their variance. */
const BATCHES = 10;

/** One column of a series. */
export interface Column {
  readonly series: Series;
  readonly column: number;
}

/** First and last bucket of a range, both included. `first` is at or after the first task. */
export interface Buckets {
  readonly first: number;
  readonly last: number;
  readonly timeline: Timeline;
}

/**
 * Returns the rate of `hits` among `chances` with the interval of the long-run rate. In a short range, the interval is
 * 0 to 1.
 */
export function seriesRate(hits: Column, chances: Column, { first, last, timeline }: Buckets): Rate {
  const buckets = Math.max(0, last - first + 1);
  const width = Math.max(1, Math.ceil(buckets / BATCHES));
  const sums = { hits: 0, of: 0, hitsSquared: 0, hitsByOf: 0, ofSquared: 0 };
  // A single pass over both columns, newest batch first, because this runs for every model of every task.
  let hitRow = newestRow(hits.series, last);
  let ofRow = newestRow(chances.series, last);
  for (let from = first + Math.floor((buckets - 1) / width) * width; from >= first; from -= width) {
    let count = 0;
    let of = 0;
    for (; hitRow >= 0 && (hits.series.buckets[hitRow] ?? 0) >= from; hitRow--) {
      count += hits.series.at(hitRow, hits.column);
    }
    for (; ofRow >= 0 && (chances.series.buckets[ofRow] ?? 0) >= from; ofRow--) {
      of += chances.series.at(ofRow, chances.column);
    }
    sums.hits += count;
    sums.of += of;
    sums.hitsSquared += count * count;
    sums.hitsByOf += count * of;
    sums.ofSquared += of * of;
  }
  const rate = batchRate(sums);
  return timeline.isLong(buckets) ? rate : { ...rate, low: 0, high: 1 };
}

/** Returns the ratio of two columns' totals, over as much of the window as the series covers. */
export function rateIn(series: Series, [hits, chances]: readonly [number, number], window: Buckets): Rate {
  const first = Math.max(window.first, series.buckets[0] ?? window.first);
  return seriesRate({ series, column: hits }, { series, column: chances }, { ...window, first });
}

/** Returns the newest row at or before a bucket; -1 if there is none. */
function newestRow({ buckets }: Series, bucket: number): number {
  let row = buckets.length - 1;
  while (row >= 0 && (buckets[row] ?? 0) > bucket) row--;
  return row;
}
