import { LoopError } from './errors.js';
import { NOT_LOADED, ROOMS } from './front-rooms.js';
import type { RSILoop } from './loop.js';
import type { Rooms } from './rooms.js';

/**
 * All rooms of a loop, for functions that take it and ask what only a loop that is ready knows.
 * @throws LoopError `store-failed` when the part that judges and decides could not be loaded.
 */
export async function readyRooms(loop: RSILoop): Promise<Rooms> {
  await loop.ready();
  const rooms = loop[ROOMS];
  if (rooms.ledger) return rooms as Rooms; // they are opened all at once
  throw new LoopError('store-failed', NOT_LOADED);
}
