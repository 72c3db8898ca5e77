import type { Rate } from 'rsi-loop';
import { NOT_ENOUGH, percentRange, rateOf } from '../lib/format.js';

/** `28 % of 3,140`, with the interval on hover. */
export function RateOf({ rate }: { readonly rate: Rate }) {
  if (rate.of === 0) return <span class="dim">{NOT_ENOUGH}</span>;
  return <span title={`95 % interval: ${percentRange(rate)}`}>{rateOf(rate)}</span>;
}
