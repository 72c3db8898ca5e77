import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { EraseFilter } from '../contract/store.js';
import { eraseMatcher, quotedWords, withoutWords, wordsOf } from '../lib/erase-filter.js';
import { eraseRecords, type FoundRecord, recordsIn } from './erase.js';
import type { FileSystem } from './file-system.js';
import type { LedgerFiles } from './ledger-files.js';

/** Everything an erasure has to remove, found before anything is changed. */
export interface Erasure {
  readonly records: readonly FoundRecord[];
  /** Words quoted in ledger entries that appear in those records and in no others. */
  readonly words: ReadonlySet<string>;
  /** Texts of the filter. */
  readonly texts: readonly string[];
}

/** Finds what an erasure removes. Reads the journal at most twice, and the ledger once. */
export async function planErasure(
  fs: FileSystem,
  { journal, ledger, filter }: { readonly journal: string; readonly ledger: LedgerFiles; readonly filter: EraseFilter },
): Promise<Erasure> {
  const matches = eraseMatcher(filter);
  const quoted = new Set<string>();
  for await (const { entry } of ledger.lines()) quotedWords(entry, quoted);
  const records: FoundRecord[] = [];
  const words = new Set<string>();
  for await (const found of recordsIn(fs, journal)) {
    if (!matches(found.record)) continue;
    records.push(found);
    if (quoted.size > 0) for (const word of wordsOf(found.record)) if (quoted.has(word)) words.add(word);
  }
  if (words.size > 0) {
    for await (const { record } of recordsIn(fs, journal)) {
      if (!matches(record)) for (const word of wordsOf(record)) words.delete(word);
      if (words.size === 0) break;
    }
  }
  const texts = Object.values(filter).filter((text) => text !== undefined);
  return { records, words, texts };
}

/** Applies an erasure to the journal and the ledger. Returns the entries whose words were replaced. */
export async function carryOut(
  fs: FileSystem,
  ledger: LedgerFiles,
  { records, words, texts }: Erasure,
): Promise<Extract<LedgerEntry, { kind: 'erased' }>['changed']> {
  await eraseRecords(fs, records);
  return ledger.rewrite((entry) => withoutWords(entry, words, texts));
}

/** Counts the decisions that quote what is to be erased. */
export async function countQuoting(ledger: LedgerFiles, { words, texts }: Erasure): Promise<number> {
  let count = 0;
  for await (const { entry } of ledger.lines()) {
    if (withoutWords(entry, words, texts) !== entry) count++;
  }
  return count;
}
