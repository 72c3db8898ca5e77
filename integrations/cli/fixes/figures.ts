import type { ArmFigures, Placebo, TrialFigures } from 'rsi-loop';
import { percentOf, whole } from '../terminal/numbers.js';

/** Formats both arms: `failed 12 of 145 with it, 10 of 131 without`. */
export function armsWords({ fix, control }: Pick<TrialFigures, 'fix' | 'control'>): string {
  return `failed ${failedOf(fix)} with it, ${failedOf(control)} without`;
}

/** Formats an interval: `between 0.30 and 0.95`. */
export function reachWords({ low, high }: TrialFigures['effect']): string {
  return `between ${low.toFixed(2)} and ${high >= 10 ? '10 or more' : high.toFixed(2)}`;
}

/**
 * Formats a placebo test:
 * `failures fell to 40 % of what they were; by themselves as far at 12 % of 50 like moments before`.
 */
export function placeboWords({ observed, moments, asFarByItself }: Placebo): string {
  if (observed === undefined) return 'too few tasks to say what failures did since';
  const since = `failures are ${percentOf(observed)} % of what they were`;
  if (moments === 0) return `${since}; there were no like moments before to compare with`;
  return `${since}; at ${percentOf(asFarByItself)} % of ${whole(moments)} like moments before they fell as far by themselves`;
}

function failedOf({ failures, tasks }: ArmFigures): string {
  return `${whole(failures)} of ${whole(tasks)}`;
}

/** Formats a failure rate: `8.3 %`, or `-` without tasks. */
export function rateOf({ failures, tasks }: ArmFigures): string {
  return tasks === 0 ? '-' : `${percentOf(failures / tasks)} %`;
}

/**
 * Formats evidence: `0.18`, `41`, `1,200`, `over a million`. Evidence grows by multiplication, so its magnitude matters
 * and not its digits.
 */
export function evidence(value: number): string {
  if (value >= 1e6) return 'over a million';
  if (value >= 10) return whole(value);
  return value >= 0.005 ? value.toFixed(2) : 'almost 0';
}
