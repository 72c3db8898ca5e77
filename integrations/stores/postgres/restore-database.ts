import { hostname } from 'node:os';
import { LoopError } from 'rsi-loop';
import { entryHash, type StoreContent } from 'rsi-loop/node';
import type { StoredRecord } from 'rsi-loop/testing';
import { Database } from './database.js';
import type { PostgresStoreOptions } from './postgres-options.js';
import { forJsonb, lineOf } from './record-text.js';

/** Number of records, and of decisions, per statement. */
const TOGETHER = 1_000;

type Entry = StoreContent['entries'] extends AsyncIterable<infer Line> ? Line : never;

/**
 * Writes the content of another store into a schema without records and decisions. Writers and positions stay the
 * same, because decisions name them.
 * @throws LoopError `invalid-input` if the schema holds any.
 */
export async function restorePostgres(options: PostgresStoreOptions, content: StoreContent): Promise<void> {
  const database = new Database(options, () => {});
  try {
    await mustBeEmpty(database);
    await restoreRecords(database, content.records);
    await restoreLedger(database, content.entries);
  } finally {
    await database.close();
  }
}

async function mustBeEmpty(database: Database): Promise<void> {
  const { schema, place } = database;
  const [row] = await database.query<{ full: boolean }>(
    `select exists (select from ${schema}.writer) or exists (select from ${schema}.ledger) as full`,
  );
  if (row?.full) {
    const message = `schema ${schema} at ${place.server} holds a loop already: give another schema with ?schema=name`;
    throw new LoopError('invalid-input', message);
  }
}

async function restoreRecords(database: Database, records: AsyncIterable<StoredRecord>): Promise<void> {
  let batch: StoredRecord[] = [];
  const write = async () => {
    await insert(database, batch);
    batch = [];
  };
  for await (const record of records) {
    if (batch.length >= TOGETHER || (batch.length > 0 && batch[0]?.writer !== record.writer)) await write();
    batch.push(record);
  }
  if (batch.length > 0) await write();
}

/** Inserts records of one writer, under the day of today: retention begins with the copy. */
async function insert(database: Database, batch: readonly StoredRecord[]): Promise<void> {
  const [first, last] = [batch[0], batch.at(-1)];
  if (first === undefined || last === undefined) return;
  const { schema } = database;
  await database.query(
    `with writer as (
      insert into ${schema}.writer (writer, host, pid, watermark_ms, written, ended_at) values ($1, $2, 0, 0, $3, now())
      on conflict (writer) do update set written = excluded.written
    ) insert into ${schema}.journal (day, writer, position, kind, record, raw)
      select (now() at time zone 'UTC')::date, $1, position, case left(line, 1) when 's' then 'start' else 'outcome' end,
        split_part(substr(line, 2), E'\\t', 1)::jsonb, nullif(split_part(line, E'\\t', 2), '')
      from unnest($4::bigint[], $5::text[]) as rows(position, line)`,
    [
      first.writer,
      hostname(),
      last.position + 1,
      batch.map(({ position }) => position),
      batch.map(({ record }) => lineOf(record)),
    ],
  );
}

async function restoreLedger(database: Database, entries: AsyncIterable<Entry>): Promise<void> {
  let batch: Entry[] = [];
  const write = async () => {
    await append(database, batch);
    batch = [];
  };
  for await (const entry of entries) {
    if (batch.push(entry) >= TOGETHER) await write();
  }
  if (batch.length > 0) await write();
}

async function append(database: Database, batch: readonly Entry[]): Promise<void> {
  const last = batch.at(-1);
  if (last === undefined) return;
  const rows = batch.map(({ entry, ...line }) => ({ ...line, text: JSON.stringify(entry) }));
  for (const { position, previous, hash, changedTo, text: entry } of rows) {
    const found = entryHash({ position, previous, entry, ...(changedTo !== undefined && { was: hash }) });
    if (found === (changedTo ?? hash)) continue;
    throw new LoopError('store-failed', `entry ${position} of the ledger is not as it was written: run "rsi doctor"`);
  }
  const { schema } = database;
  await database.query(
    `with moved as (update ${schema}.head set length = $1, hash = $2)
     insert into ${schema}.ledger (position, previous, hash, changed_to, entry, content, token)
     select position, previous, hash, changed_to, entry, content::jsonb, ''
     from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as rows(position, previous, hash, changed_to, entry, content)`,
    [
      last.position + 1,
      last.hash,
      rows.map(({ position }) => position),
      rows.map(({ previous }) => previous),
      rows.map(({ hash }) => hash),
      rows.map(({ changedTo }) => changedTo ?? null),
      rows.map(({ text }) => text),
      rows.map(({ text }) => forJsonb(text)),
    ],
  );
}
