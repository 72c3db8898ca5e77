import type { Coordination } from '../contract/coordination.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { eraseMatcher, quotedWords, withoutWords, wordsOf } from '../lib/erase-filter.js';
import { erasedKey } from '../lib/erased-ids.js';
import { eraseRecords, type FoundRecord, recordsIn } from './erase.js';
import type { FileJournal } from './file-journal.js';
import type { FileLedger } from './file-ledger.js';
import type { FileSnapshots } from './file-snapshots.js';
import type { Quarantine } from './quarantine.js';
import type { StoreFolder } from './store-folder.js';

/** Parts of a file store that an erasure changes. */
interface StoreParts {
  readonly folder: StoreFolder;
  readonly journal: FileJournal;
  readonly ledger: FileLedger;
  readonly snapshots: FileSnapshots;
  readonly coordination: Coordination;
  readonly quarantine: Quarantine;
}

/**
 * How often, and for how long at most, an erasure checks whether other processes have written their buffered records.
 */
const LOOK_EVERY_MS = 100;
const WRITTEN_LIMIT_MS = 5_000;

/** Erases records from a file store, as `Store.erase` promises. */
export async function eraseFrom(
  parts: StoreParts,
  filter: EraseFilter,
  { by = 'host', dryRun = false }: EraseOptions,
): Promise<EraseReceipt> {
  const { folder, journal, ledger, snapshots, quarantine } = parts;
  await journal.endSegment();
  const waiting = dryRun ? [] : await whoStillHolds(parts, folder.clock.now());
  const erasure = await planErasure(parts, filter);
  const removeFiles = async () => (await snapshots.forget(dryRun)) + (await quarantine.erase(erasure.texts, dryRun));
  const records = erasure.records.length;
  if (dryRun) return { records, decisions: await countQuoting(ledger, erasure), files: await removeFiles() };
  journal.forget();
  await eraseRecords(folder.fs, erasure.records);
  const changed = await ledger.rewrite((entry) => withoutWords(entry, erasure.words, erasure.texts));
  const files = await removeFiles();
  const ids = erasure.records.flatMap(({ record }) =>
    record.kind === 'outcome' ? [erasedKey(record.outcome.id)] : [],
  );
  const fields = Object.keys(filter).sort();
  const entry: LedgerEntry = { kind: 'erased', atMs: folder.clock.now(), by, fields, records, ids, changed };
  let head = await ledger.head();
  for (let isAppended = false; !isAppended; ) {
    const result = await ledger.append([entry], head);
    head = result.head;
    isAppended = result.kind === 'ok';
  }
  return { records, decisions: changed.length, files, ...(waiting.length > 0 && { waiting }) };
}

/**
 * Waits until the other living processes have written what they recorded before `atMs`. Returns those that have not
 * after `WRITTEN_LIMIT_MS`: the process is suspended, or its disk hangs.
 */
async function whoStillHolds({ folder, journal, coordination }: StoreParts, atMs: number): Promise<readonly string[]> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const behind = (await coordination.writers()).filter(
      ({ writer, alive, watermarkMs }) => alive && writer !== journal.writer && watermarkMs < atMs,
    );
    if (behind.length === 0 || waitedMs >= WRITTEN_LIMIT_MS) return behind.map(({ writer }) => writer);
    await new Promise<void>((resolve) => void folder.clock.after(LOOK_EVERY_MS, resolve));
  }
}

/** Everything an erasure has to remove, found before anything is changed. */
interface Erasure {
  readonly records: readonly FoundRecord[];
  /** Words quoted in ledger entries that appear in those records and in no others. */
  readonly words: ReadonlySet<string>;
  /** Texts of the filter. */
  readonly texts: readonly string[];
}

/** Finds what an erasure removes. Reads the journal at most twice, and the ledger once. */
async function planErasure({ folder, ledger }: StoreParts, filter: EraseFilter): Promise<Erasure> {
  const matches = eraseMatcher(filter);
  const quoted = new Set<string>();
  for await (const { entry } of ledger.lines()) quotedWords(entry, quoted);
  const records: FoundRecord[] = [];
  const words = new Set<string>();
  for await (const found of recordsIn(folder)) {
    if (!matches(found.record)) continue;
    records.push(found);
    if (quoted.size > 0) for (const word of wordsOf(found.record)) if (quoted.has(word)) words.add(word);
  }
  await keepWordsOfOthers(folder, matches, words);
  const texts = Object.values(filter).filter((text) => text !== undefined);
  return { records, words, texts };
}

/** Removes from `words` those that records which stay also contain. */
async function keepWordsOfOthers(
  folder: StoreFolder,
  isErased: (record: JournalRecord) => boolean,
  words: Set<string>,
): Promise<void> {
  if (words.size === 0) return;
  for await (const { record } of recordsIn(folder)) {
    if (!isErased(record)) for (const word of wordsOf(record)) words.delete(word);
    if (words.size === 0) return;
  }
}

/** Counts the decisions that quote what is to be erased. */
async function countQuoting(ledger: FileLedger, { words, texts }: Erasure): Promise<number> {
  let count = 0;
  for await (const { entry } of ledger.lines()) {
    if (withoutWords(entry, words, texts) !== entry) count++;
  }
  return count;
}
