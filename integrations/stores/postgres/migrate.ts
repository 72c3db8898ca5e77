import { LoopError } from 'rsi-loop';
import { openPool, type PgClient, withListeners } from './driver.js';
import { MIGRATIONS, type Migration } from './migrations.js';
import { type PostgresPlace, type PostgresSettings, placeOf } from './postgres-options.js';
import { storeError } from './store-error.js';

/** Versions of a schema before and after a migration; 0: there was none. */
export interface MigrationReport {
  readonly from: number;
  readonly to: number;
}

type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * Creates the schema of a loop, or brings it to the version of this package. Each version is one transaction, so a
 * process that is killed leaves one version or the next. Processes that migrate at the same time wait for each other.
 * @throws LoopError `store-failed` for a newer schema, or without the rights to change it.
 */
export async function migrate(
  options: PostgresPlace & Pick<PostgresSettings, 'schema' | 'ssl'>,
): Promise<MigrationReport> {
  const { pool: given, ssl } = options;
  const { url = '', ...place } = placeOf(options);
  const limits = { connections: 1, connectTimeoutMs: 5_000, queryTimeoutMs: 3_600_000 };
  const pool = withListeners(given ?? (await openPool({ url, ...(ssl !== undefined && { ssl }), ...limits })));
  let client: PgClient | undefined;
  try {
    client = await pool.connect();
    return await migrateSchema(client, place.schema);
  } catch (cause) {
    throw storeError(cause, place);
  } finally {
    client?.release();
    if (given === undefined) await pool.end();
  }
}

/**
 * Returns the version of a schema; 0 if it holds no loop.
 * @throws LoopError `store-failed` if the schema names a version that no release has.
 */
export async function versionOf(query: Query, schema: string): Promise<number> {
  // Read as rows: functions such as to_regclass answer from a cache that may be older than a lock just acquired.
  const sql = `select 1 from pg_catalog.pg_class join pg_catalog.pg_namespace as space on space.oid = relnamespace
    where nspname = $1 and relname = 'meta'`;
  if ((await query(sql, [schema])).length === 0) return 0;
  const [meta] = await query<{ version: number }>(`select version from ${schema}.meta`);
  const version = meta?.version ?? 'none';
  if (typeof version === 'number' && version >= 1) return version;
  const advice = 'restore the schema from a backup, or name another one';
  throw new LoopError('store-failed', `schema ${schema} names the version ${version}, which no release has: ${advice}`);
}

/** Applies the migrations that a schema lacks, on one connection. */
export async function migrateSchema(
  client: Pick<PgClient, 'query'>,
  schema: string,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<MigrationReport> {
  const query: Query = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...values])).rows;
  let from: number | undefined;
  for (;;) {
    await query('begin');
    try {
      await query('select pg_advisory_xact_lock(hashtext($1))', [`${schema}.migrate`]);
      const version = await versionOf(query, schema);
      from ??= version;
      if (version > migrations.length) {
        const known = `is of version ${version}, this package knows ${migrations.length}`;
        throw new LoopError('store-failed', `schema ${schema} ${known}: install a newer version of rsi-loop`);
      }
      const next = migrations[version];
      if (next === undefined) {
        await query('commit');
        return { from, to: version };
      }
      await apply(query, schema, next, version + 1);
      // A new schema is created whole, so that no other process meets one of an earlier version.
      if (version === 0) {
        for (const [index, later] of migrations.slice(1).entries()) await apply(query, schema, later, index + 2);
      }
      await query('commit');
    } catch (error) {
      await query('rollback').catch(() => undefined); // the connection may be gone, which rolls back too
      throw error;
    }
  }
}

async function apply(query: Query, schema: string, migration: Migration, version: number): Promise<void> {
  if (version === 1) {
    const spaces = await query('select 1 from pg_catalog.pg_namespace where nspname = $1', [schema]);
    if (spaces.length === 0) await query(`create schema ${schema}`);
  }
  await query(migration.replaceAll('$schema', schema));
  if (version === 1) await query(`insert into ${schema}.meta (version) values (1)`);
  else await query(`update ${schema}.meta set version = $1, changed_at = now()`, [version]);
}
