import type { Fix } from '../contract/fix.js';
import { messageOf } from '../lib/text.js';
import type { SmallestGain } from './options.js';

/** Returns the smallest gain by fix. Reports and ignores what the host's function gets wrong. */
export function smallestGainOf(
  given: SmallestGain | undefined,
  report: (message: string) => void,
): (fix: Fix) => number | undefined {
  if (typeof given === 'number') return () => given;
  if (typeof given !== 'function') return ({ task }) => (given && Object.hasOwn(given, task) ? given[task] : undefined);
  return (fix) => {
    try {
      const gain: unknown = given(fix);
      if (gain === undefined || (typeof gain === 'number' && gain > 0 && gain < 1)) return gain;
      report(`smallestGain of ${fix.id} is ${String(gain)}: the default is used; give a number above 0 and below 1`);
    } catch (error) {
      report(`smallestGain of ${fix.id} failed: the default is used: ${messageOf(error)}`);
    }
    return undefined;
  };
}
