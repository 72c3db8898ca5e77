import type { Series } from './series.js';
import { BUCKETS_PER_WINDOW } from './timeline.js';
import { logTwoRates } from './two-rates.js';

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
export function findRateChange(occurrences: Series, outcomes: Series, range: Range): 'rising' | 'falling' | undefined {
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
