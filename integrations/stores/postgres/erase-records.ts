import type { Clock, EraseFilter, JournalRecord, LedgerEntry } from 'rsi-loop';
import { erasing } from 'rsi-loop/kit';
import { entryHash } from 'rsi-loop/node';
import type { Coordination, EraseReceipt } from 'rsi-loop/testing';
import type { Database } from './database.js';
import type { LedgerChanges } from './ledger-changes.js';
import type { PostgresJournal } from './postgres-journal.js';
import { type LedgerRow, type PostgresLedger, parseEntry } from './postgres-ledger.js';
import { forJsonb } from './record-text.js';

export interface ErasedParts {
  readonly database: Database;
  readonly journal: PostgresJournal;
  readonly ledger: PostgresLedger;
  readonly coordination: Coordination;
  readonly changes: LedgerChanges;
  readonly clock: Clock;
}

/** How often, and for how long at most, an erasure checks whether other processes have sent their records. */
const LOOK_EVERY_MS = 100;
const WRITTEN_LIMIT_MS = 5_000;
/** Number of records deleted per statement. */
const DELETED_TOGETHER = 1_000;

interface Found {
  readonly writer: string;
  readonly position: number;
}

/** Everything an erasure has to remove, found before anything is changed. */
interface Erasure {
  readonly found: readonly Found[];
  /** Keys of the erased outcomes. */
  readonly ids: readonly string[];
  /** Words quoted in ledger entries that appear in those records and in no others. */
  readonly words: ReadonlySet<string>;
  /** Texts of the filter. */
  readonly texts: readonly string[];
}

/** Erases records, as `Store.erase` promises. */
export async function eraseRecords(
  parts: ErasedParts,
  filter: EraseFilter,
  { by = 'host', dryRun = false }: { readonly by?: string; readonly dryRun?: boolean },
): Promise<EraseReceipt> {
  const { database, journal, ledger, clock } = parts;
  const matches = erasing.eraseMatcher(filter);
  if (!dryRun) database.mustWrite();
  await journal.flush();
  const waiting = dryRun ? [] : await whoStillHolds(parts, clock.now());
  const erasure = await planErasure(parts, filter, matches);
  const records = erasure.found.length;
  if (dryRun)
    return { records, decisions: (await changedRows(ledger, erasure)).length, files: await countSaved(database) };
  for (let at = 0; at < records; at += DELETED_TOGETHER) {
    await deleteRecords(database, erasure.found.slice(at, at + DELETED_TOGETHER));
  }
  const fields = Object.keys(filter).sort();
  const done = await rewrite(parts, erasure, { by, fields, records });
  return { records, ...done, ...(waiting.length > 0 && { waiting }) };
}

/**
 * Waits until the other living processes have sent what they recorded before `atMs`. Returns those that have not after
 * `WRITTEN_LIMIT_MS`.
 */
async function whoStillHolds({ journal, coordination, clock }: ErasedParts, atMs: number): Promise<readonly string[]> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const behind = (await coordination.writers()).filter(
      ({ writer, alive, watermarkMs }) => alive && writer !== journal.writer && watermarkMs < atMs,
    );
    if (behind.length === 0 || waitedMs >= WRITTEN_LIMIT_MS) return behind.map(({ writer }) => writer);
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  }
}

async function planErasure(
  { journal, ledger }: ErasedParts,
  filter: EraseFilter,
  matches: (record: JournalRecord) => boolean,
): Promise<Erasure> {
  const quoted = new Set<string>();
  for await (const { entry } of ledger.read()) erasing.quotedWords(entry, quoted);
  const found: Found[] = [];
  const ids: string[] = [];
  const words = new Set<string>();
  for await (const { writer, position, record } of journal.read()) {
    if (!matches(record)) continue;
    found.push({ writer, position });
    if (record.kind === 'outcome') ids.push(erasing.erasedKey(record.outcome.id));
    for (const word of erasing.wordsOf(record)) if (quoted.has(word)) words.add(word);
  }
  if (words.size > 0) await keepWordsOfOthers(journal, matches, words);
  return { found, ids, words, texts: Object.values(filter).filter((text) => text !== undefined) };
}

/** Removes from `words` those that records which stay also contain. */
async function keepWordsOfOthers(
  journal: PostgresJournal,
  isErased: (record: JournalRecord) => boolean,
  words: Set<string>,
): Promise<void> {
  for await (const { record } of journal.read()) {
    if (!isErased(record)) for (const word of erasing.wordsOf(record)) words.delete(word);
  }
}

async function deleteRecords(database: Database, found: readonly Found[]): Promise<void> {
  await database.query(
    `delete from ${database.schema}.journal as stored using unnest($1::text[], $2::bigint[]) as gone(writer, position)
     where stored.writer = gone.writer and stored.position = gone.position`,
    [found.map(({ writer }) => writer), found.map(({ position }) => position)],
  );
}

async function countSaved(database: Database): Promise<number> {
  const sql = `select count(*)::int as count from ${database.schema}.snapshot`;
  const [row] = await database.query<{ count: number }>(sql);
  return row?.count ?? 0;
}

/** Returns the entries that quote erased records, as they are to be stored. */
async function changedRows(ledger: PostgresLedger, { words, texts }: Erasure): Promise<readonly LedgerRow[]> {
  const changed: LedgerRow[] = [];
  for await (const row of ledger.rows()) {
    const before = parseEntry(row);
    if (before === undefined) continue;
    const after = erasing.withoutWords(before, words, texts);
    if (after === before) continue;
    const entry = JSON.stringify(after);
    const { position, previous, hash } = row;
    changed.push({ ...row, entry, changedTo: entryHash({ position, previous, entry, was: hash }) });
  }
  return changed;
}

/**
 * Replaces the words in decisions, deletes saved state and appends the entry that says so, in one transaction: readers
 * never see a changed entry without the reason.
 */
async function rewrite(
  parts: ErasedParts,
  erasure: Erasure,
  about: { readonly by: string; readonly fields: readonly string[]; readonly records: number },
): Promise<{ readonly decisions: number; readonly files: number }> {
  const { database, ledger, changes, clock } = parts;
  const { schema } = database;
  ledger.forget();
  return database.transaction(async (query) => {
    // Locks the end of the ledger, so that no decision comes in between.
    const [head] = await query<{ length: number; hash: string }>(
      `select length::float8 as length, hash from ${schema}.head for update`,
    );
    const { length: position, hash: previous } = head ?? { length: 0, hash: '' };
    const changed = await changedRows(ledger, erasure);
    for (const { position: at, entry, changedTo } of changed) {
      await query(`update ${schema}.ledger set entry = $2, content = $3, changed_to = $4 where position = $1`, [
        at,
        entry,
        forJsonb(entry),
        changedTo,
      ]);
    }
    const files = (await query(`delete from ${schema}.snapshot returning 1`)).length;
    await query(`delete from ${schema}.snapshot_part`);
    const decision: LedgerEntry = {
      kind: 'erased',
      atMs: clock.now(),
      ...about,
      ids: erasure.ids,
      changed: changed.map(({ position: at, changedTo }) => ({ position: at, hash: changedTo ?? '' })),
    };
    const entry = JSON.stringify(decision);
    const hash = entryHash({ position, previous, entry });
    await query(
      `insert into ${schema}.ledger (position, previous, hash, entry, content, token) values ($1, $2, $3, $4, $5, '')`,
      [position, previous, hash, entry, forJsonb(entry)],
    );
    await query(`update ${schema}.head set length = $1, hash = $2`, [position + 1, hash]);
    await query('select pg_notify($1, $2)', [changes.channel, `${position + 1}`]);
    return { decisions: changed.length, files };
  });
}
