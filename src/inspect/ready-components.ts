import { LoopError } from '../contract/errors.js';
import type { Components } from '../engine/components.js';
import { INTERNALS, NOT_LOADED } from '../engine/front-components.js';
import type { RSILoop } from '../loop.js';

/**
 * All components of a loop, for functions that take it and ask what only a loop that is ready knows.
 * @throws LoopError `store-failed` when the part that judges and decides could not be loaded.
 */
export async function readyComponents(loop: RSILoop): Promise<Components> {
  await loop.ready();
  const components = loop[INTERNALS];
  if (components.ledger) return components as Components; // they are opened all at once
  throw new LoopError('store-failed', NOT_LOADED);
}
