import type { RSILoop } from '../loop.js';
import type { RecallAbout, RecallOptions, RecallResult } from './recollect.js';

/**
 * What is known that bears on something about to be tried: lessons of former fixes, ways it failed, and what worked, at
 * most 4, and how bold to be. Knows what the last cycle has read. Changes nothing.
 * @throws LoopError `invalid-input` (as a rejection) for a task that is no text or a number that cannot be.
 */
export async function recall(loop: RSILoop, about: RecallAbout, options: RecallOptions = {}): Promise<RecallResult> {
  // Loaded when it is first asked for: whoever never recalls anything need not carry it.
  const { recollect } = await import('./recollect.js');
  return recollect(loop, about, options);
}
