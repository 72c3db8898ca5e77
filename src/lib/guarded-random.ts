import { handleRejection } from './promises.js';
import type { Random } from './random.js';
import { describeThrown, showValue } from './text.js';

/**
 * Wraps a host's random source. If it throws or returns an invalid number, uses `Math.random` and reports that once.
 */
export function guardedRandom(random: Random, report: (message: string) => void): Random {
  let isReported = false;
  const failed = (what: string) => {
    if (!isReported) report(`random ${what}; Math.random is used instead`);
    isReported = true;
    return Math.random();
  };
  return () => {
    try {
      const value: unknown = random();
      if (typeof value === 'number' && value >= 0 && value < 1) return value;
      handleRejection(value);
      return failed(`returned ${showValue(value)}: return numbers from 0 up to 1, without 1`);
    } catch (error) {
      return failed(`threw ${describeThrown(error)}`);
    }
  };
}
