import type { Cursor } from '../contract/journal.js';
import { type LoopHandle, readyComponents } from '../engine/internals.js';

/**
 * Returns the position in the journal up to which cycles have counted records. `loop.store.journal.read({}, position)`
 * yields exactly these records.
 */
export async function readPosition(loop: LoopHandle): Promise<Cursor> {
  return (await readyComponents(loop)).ledger.state.read;
}
