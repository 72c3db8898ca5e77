import { LoopError } from '../contract/errors.js';
import { type LoopHandle, type LoopParts, partsOf } from '../live/loop-parts.js';
import type { Components } from './components.js';

/** Returns all parts of a loop once its store has been read. */
export async function readyParts(loop: LoopHandle): Promise<Components> {
  await loop.ready();
  return judgedParts(loop);
}

/**
 * Returns all parts of a loop that is ready.
 * @throws LoopError `invalid-input` before `ready()` has resolved.
 */
export function judgedParts(loop: LoopHandle): Components {
  const parts = partsOf(loop);
  if (isJudged(parts)) return parts;
  throw new LoopError('invalid-input', 'the loop is not ready: await loop.ready() first');
}

function isJudged(parts: LoopParts): parts is Components {
  return 'analyzer' in parts;
}
