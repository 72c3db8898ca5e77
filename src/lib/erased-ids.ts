import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import { hashHex } from './hash.js';

/**
 * Returns the hash of an erased outcome's id. It is stored in the ledger, so that the record is rejected if sent again.
 */
export function erasedKey(id: string): string {
  return hashHex(id);
}

/** Returns the known erased ids plus those of one decision. */
export function withErased(known: ReadonlySet<string>, entry: LedgerEntry): ReadonlySet<string> {
  if (entry.kind !== 'erased' || !entry.ids?.length) return known;
  const all = new Set(known);
  for (const key of entry.ids) all.add(key);
  return all;
}

/** Reads the erased ids from a store. Returns a test for ids, for senders that write to the store directly. */
export async function erasedFrom({ ledger }: { readonly ledger: LedgerLog }): Promise<(id: string) => boolean> {
  let erased: ReadonlySet<string> = new Set();
  for await (const { entry } of ledger.read()) erased = withErased(erased, entry);
  return (id) => erased.size > 0 && erased.has(erasedKey(id));
}
