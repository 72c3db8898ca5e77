import { LoopError } from '../contract/errors.js';
import { showValue } from '../lib/text.js';
import { INTERNALS } from './internals.js';
import type { LiveComponents } from './live-components.js';

/** Parts of a loop that functions taking a loop may use. They are replaced when the store is read again: do not keep them. */
export type LoopParts = LiveComponents;

/** Loop as seen by functions that take one. Every `RSILoop` is a `LoopHandle`. */
export interface LoopHandle {
  ready(): Promise<void>;
  /** Whether the given store could not be read, so that everything ends with this process. */
  readonly hasLostStore: boolean;
  /** @internal */
  readonly [INTERNALS]: LoopParts;
}

/** Returns the parts of a loop. */
export function partsOf(loop: Pick<LoopHandle, typeof INTERNALS>): LoopParts {
  const parts = (loop as Partial<LoopHandle> | undefined)?.[INTERNALS];
  if (parts === undefined) throw new LoopError('invalid-input', `loop is ${showValue(loop)}: give an RSILoop`);
  return parts;
}

/** Returns the parts of a loop once its stored decisions have been read. Does not load the judge. */
export async function followedParts(loop: Pick<LoopHandle, typeof INTERNALS>): Promise<LoopParts> {
  await partsOf(loop).decisionsRead();
  return partsOf(loop);
}
