import type { RSILoop } from '../loop.js';
import type { RootCauses, RootCausesOptions } from './count-root-causes.js';

/**
 * Why things failed lately, counted: by the rules and, where they say nothing, by what a model suggested before. Reads
 * everything the store still holds of that time, asks nobody and changes nothing.
 * @throws LoopError `invalid-input` for a number of days that is not above 0, `store-failed` when the store cannot be read.
 */
export async function rootCauses(loop: RSILoop, options: RootCausesOptions = {}): Promise<RootCauses> {
  // Loaded when it is first asked, as `recall` is.
  const { countRootCauses } = await import('./count-root-causes.js');
  return countRootCauses(loop, options);
}
