import type { Explanation, Fix, FixStatus, RSILoop } from 'rsi-loop';
import { STATUSES, waitsFor } from '../fixes/status.js';

/** Output of `rsi review --json`. Fields are added within a format, never changed or removed. */
export interface Review {
  readonly format: 'rsi-review/1' | 'rsi-cycle/1';
  readonly fixes: readonly Explanation[];
}

/** Returns the fixes with `status`; without one, those that a person can decide on now. */
export function fixesToReview(loop: RSILoop, status?: FixStatus): readonly Fix[] {
  const rank = (fix: Fix) => STATUSES.indexOf(fix.status);
  const wanted = loop.fixes().filter((fix) => (status ? fix.status === status : waitsFor(fix, String) !== undefined));
  return [...wanted].sort((a, b) => rank(a) - rank(b));
}

export function reviewOf(loop: RSILoop, fixes: readonly Fix[]): Review {
  return { format: 'rsi-review/1', fixes: fixes.map(({ id }) => loop.explain(id)) };
}
