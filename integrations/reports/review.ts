import type { Explanation, Fix, FixStatus, RSILoop } from 'rsi-loop';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { followedOf } from './followed.js';
import { type Wait, waitOf } from './wait.js';
import { waitingOf } from './waiting.js';

/** Fixes with everything that a person needs to decide. Fields are added within a format, never changed or removed. */
export interface Review {
  readonly format: 'rsi-review/1' | 'rsi-cycle/1';
  readonly fixes: readonly ReviewedFix[];
}

export interface ReviewedFix extends Explanation {
  /** Reason why it has no final state; absent if it waits for nothing. */
  readonly wait?: Wait;
  /** How often the tasks or sessions that got a rule followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
}

/** Returns the fixes with `status`; without one, those that wait for something, in the order of every list. */
export function fixesToReview(loop: RSILoop, status?: FixStatus): readonly Fix[] {
  if (status !== undefined) return loop.fixes({ status });
  const { fixes, forProgram, remarks } = waitingOf(loop);
  const all = new Map(loop.fixes().map((fix) => [fix.id, fix]));
  return [...fixes, ...forProgram, ...remarks].flatMap(({ id }) => all.get(id) ?? []);
}

/** Returns the review of some fixes. */
export async function reviewOf(loop: RSILoop, fixes: readonly Fix[]): Promise<Review> {
  const follows = await followedOf(loop, fixes);
  return {
    format: 'rsi-review/1',
    fixes: fixes.map((fix) => {
      const explanation = loop.explain(fix.id);
      const wait = waitOf(explanation.fix, explanation.description.needsPerson);
      const followed = follows.get(fix.id);
      return { ...explanation, ...(wait && { wait }), ...(followed && { followed }) };
    }),
  };
}
