import { batchRate } from '../lib/batch-rate.js';
import type { Rate } from '../records.js';
import type { Series } from './series.js';
import type { Timeline } from './timeline.js';

/** Batches that a stretch is cut into: long enough to hold a burst, and enough of them to know how they differ. */
const BATCHES = 10;

/** One column of a series. */
export interface Column {
  readonly series: Series;
  readonly column: number;
}

/** First and last bucket of a stretch, both included. `first` is at or after the first task. */
export interface Buckets {
  readonly first: number;
  readonly last: number;
  readonly timeline: Timeline;
}

/** Returns the rate of `hits` among `chances`, with the interval of the long-run rate; 0 to 1 in a short stretch. */
export function seriesRate(hits: Column, chances: Column, { first, last, timeline }: Buckets): Rate {
  const buckets = Math.max(0, last - first + 1);
  const width = Math.ceil(buckets / BATCHES);
  const hitsOf = batched(hits, { first, last }, width);
  const chancesOf = batched(chances, { first, last }, width);
  const sums = { hits: 0, of: 0, hitsSquared: 0, hitsByOf: 0, ofSquared: 0 };
  chancesOf.forEach((of, batch) => {
    const count = hitsOf[batch] ?? 0;
    sums.hits += count;
    sums.of += of;
    sums.hitsSquared += count * count;
    sums.hitsByOf += count * of;
    sums.ofSquared += of * of;
  });
  const rate = batchRate(sums);
  return timeline.isLong(buckets) ? rate : { ...rate, low: 0, high: 1 };
}

/** Returns the rate of one column among another one, in as much of the window as the series knows. */
export function rateIn(series: Series, [hits, chances]: readonly [number, number], window: Buckets): Rate {
  const first = Math.max(window.first, series.buckets[0] ?? window.first);
  return seriesRate({ series, column: hits }, { series, column: chances }, { ...window, first });
}

function batched(
  { series, column }: Column,
  { first, last }: Omit<Buckets, 'timeline'>,
  width: number,
): readonly number[] {
  const batches = new Array<number>(last < first ? 0 : Math.ceil((last - first + 1) / width)).fill(0);
  const { buckets } = series;
  for (let row = buckets.length - 1; row >= 0; row--) {
    const bucket = buckets[row] ?? 0;
    if (bucket < first) break;
    if (bucket > last) continue;
    const batch = Math.floor((bucket - first) / width);
    batches[batch] = (batches[batch] ?? 0) + series.at(row, column);
  }
  return batches;
}
