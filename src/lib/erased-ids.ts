import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Store } from '../contract/store.js';
import { hashHex } from './hash.js';

/** Hash of the id of an erased outcome. The ledger keeps it, so that the record is not taken in again. */
export function erasedKey(id: string): string {
  return hashHex(id);
}

/** Adds what one decision erased to what was erased before. */
export function withErased(known: ReadonlySet<string>, entry: LedgerEntry): ReadonlySet<string> {
  if (entry.kind !== 'erased' || !entry.ids?.length) return known;
  const all = new Set(known);
  for (const key of entry.ids) all.add(key);
  return all;
}

/** Reads which outcomes were erased from a store. Returns a test of ids, for senders that write to the store directly. */
export async function erasedFrom(store: Store): Promise<(id: string) => boolean> {
  let erased: ReadonlySet<string> = new Set();
  for await (const { record } of store.read('ledger')) erased = withErased(erased, record);
  return (id) => erased.size > 0 && erased.has(erasedKey(id));
}
