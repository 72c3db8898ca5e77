import type { EraseFilter } from '../contract/erasure.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { eraseMatcher, quotedWords, withoutWords, wordsOf } from '../lib/erase-filter.js';
import { erasedKey } from '../lib/erased-ids.js';
import { hashHex } from '../lib/hash.js';
import type { MemoryJournal } from './memory-journal.js';
import type { MemoryLedger } from './memory-ledger.js';

/** Everything an erasure removes, found before anything is changed. */
interface Erasure {
  readonly matches: (record: JournalRecord) => boolean;
  readonly records: number;
  /** Keys of the erased outcomes. */
  readonly ids: readonly string[];
  /** Ledger entries that quote erased records, with their hashes afterwards. */
  readonly changed: readonly { readonly position: number; readonly hash: string }[];
  readonly clean: (entry: LedgerEntry) => LedgerEntry;
}

/** Finds what an erasure removes. */
export async function planErasure(journal: MemoryJournal, ledger: MemoryLedger, filter: EraseFilter): Promise<Erasure> {
  const matches = eraseMatcher(filter);
  const records = journal.all();
  const erased = records.filter(matches);
  const quoted = new Set<string>();
  for await (const { entry } of ledger.read()) quotedWords(entry, quoted);
  const words = quotedFrom(erased, quoted);
  // A word that a remaining record contains too is not erased.
  const others = records.filter((record) => !matches(record));
  for (const word of quotedFrom(others, words)) words.delete(word);
  const texts = Object.values(filter).filter((text) => text !== undefined);
  const clean = (entry: LedgerEntry) => withoutWords(entry, words, texts);
  const changed: { position: number; hash: string }[] = [];
  for await (const { position, entry } of ledger.read()) {
    const left = clean(entry);
    if (left !== entry) changed.push({ position, hash: hashHex(JSON.stringify(left)) });
  }
  const ids = erased.flatMap((record) => (record.kind === 'outcome' ? [erasedKey(record.outcome.id)] : []));
  return { matches, records: erased.length, ids, changed, clean };
}

/** Returns the words of the records that are also in `quoted`. */
function quotedFrom(records: readonly JournalRecord[], quoted: ReadonlySet<string>): Set<string> {
  const words = new Set<string>();
  for (const record of records) for (const word of wordsOf(record)) if (quoted.has(word)) words.add(word);
  return words;
}
