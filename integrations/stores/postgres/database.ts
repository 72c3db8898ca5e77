import { LoopError } from 'rsi-loop';
import type { StoreProblem } from 'rsi-loop/testing';
import { openPool, type PgClient, type PgPool, withListeners } from './driver.js';
import { migrateSchema, versionOf } from './migrate.js';
import { MIGRATIONS } from './migrations.js';
import { atLeast, type PostgresStoreOptions, placeOf } from './postgres-options.js';
import { isConnectionLost, isSchemaMissing, type Place, storeError } from './store-error.js';

/** Oldest supported version, as `server_version_num`. */
const OLDEST = 140_000;

const VERSION = `select current_setting('server_version_num')::int as version, current_setting('server_version') as text`;

const AWAY = 'records wait in memory and tasks join no trial until it answers';

/** Connections to the schema of one loop. Connects and checks the schema on first use. */
export class Database {
  /** Prefix of each table in SQL. */
  readonly schema: string;
  readonly place: Place;
  readonly isReadOnly: boolean;
  readonly #options: PostgresStoreOptions;
  /** Address without the schema, which the driver does not know. */
  readonly #url: string | undefined;
  #pool: Promise<PgPool> | undefined;
  #ready: Promise<void> | undefined;
  readonly #report: (problem: StoreProblem) => void;
  #away: string | undefined;
  #isClosed = false;

  constructor(options: PostgresStoreOptions, report: (problem: StoreProblem) => void) {
    this.#report = report;
    this.#options = options;
    this.isReadOnly = options.readOnly ?? false;
    if (options.url === undefined && options.pool === undefined) {
      throw new LoopError('invalid-input', 'the PostgreSQL store needs url or pool: give one of them');
    }
    const { url, ...place } = placeOf(options);
    this.#url = url;
    this.place = place;
    this.schema = place.schema;
    atLeast('connections', options.connections ?? 4, 1);
  }

  /** Why the server does not answer at the moment; undefined if it does. */
  get away(): string | undefined {
    return this.#away;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws LoopError `closed` after `close`, `store-failed` if the store was opened only to read. */
  mustWrite(): void {
    if (this.#isClosed) throw new LoopError('closed', 'the store is closed');
    if (this.isReadOnly) throw new LoopError('store-failed', `${this.place.server} was opened with readOnly`);
  }

  /** Runs one statement in a transaction of its own, which a pooler may run in any session. */
  async query<Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    await this.prepare();
    return this.#run<Row>(sql, values);
  }

  /** Runs several statements in one transaction. */
  async transaction<Result>(
    work: (query: <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>) => Promise<Result>,
  ): Promise<Result> {
    await this.prepare();
    return this.#inTransaction((client) =>
      work(
        async <Row>(sql: string, values: readonly unknown[] = []) => (await client.query<Row>(sql, [...values])).rows,
      ),
    );
  }

  #inTransaction<Result>(work: (client: PgClient) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /** Returns a connection of its own, for notifications. The caller releases it. */
  async connect(): Promise<PgClient> {
    await this.prepare();
    try {
      return await (await this.#open()).connect();
    } catch (cause) {
      throw storeError(cause, this.place);
    }
  }

  /**
   * Checks the server and the schema once, and creates the schema if it is missing. A failure is not remembered.
   * @throws LoopError `store-failed` with the setting to change.
   */
  prepare(): Promise<void> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #prepare(): Promise<void> {
    // In a transaction, so that a pooler in statement mode is found here and not by the first erasure.
    const [server] = await this.#inTransaction(
      async (client) => (await client.query<{ version: number; text: string }>(VERSION)).rows,
    );
    if (server === undefined || server.version < OLDEST) {
      throw new LoopError(
        'store-failed',
        `PostgreSQL at ${this.place.server} is version ${server?.text}: use 14 or later`,
      );
    }
    const version = await versionOf((sql, values = []) => this.#run(sql, values), this.schema);
    if (version === 0 && !this.isReadOnly) await this.#withClient((client) => migrateSchema(client, this.schema));
    else this.#checkVersion(version);
    if (!this.isReadOnly) await this.#run(`select ${this.schema}.ensure_days()`);
  }

  #checkVersion(version: number): void {
    const about = `schema ${this.schema} at ${this.place.server}`;
    if (version === 0) throw new LoopError('invalid-input', `${about} holds no loop: give the schema of one`);
    if (version > MIGRATIONS.length) {
      const known = `is of version ${version}, this package knows ${MIGRATIONS.length}`;
      throw new LoopError('store-failed', `${about} ${known}: install a newer version of rsi-loop`);
    }
    if (version < MIGRATIONS.length) {
      const wanted = `is of version ${version}, this package needs ${MIGRATIONS.length}`;
      throw new LoopError('store-failed', `${about} ${wanted}: run "rsi store migrate"`);
    }
  }

  async #run<Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const pool = await this.#open();
    try {
      const { rows } = await pool.query<Row>(sql, [...values]);
      this.#away = undefined;
      return rows;
    } catch (cause) {
      this.#notice(cause);
      // The schema was deleted: the next call looks again, and creates it.
      if (isSchemaMissing(cause)) this.#ready = undefined;
      throw storeError(cause, this.place);
    }
  }

  /** Reports a server that stopped to answer, once until it answers again. */
  #notice(cause: unknown): void {
    if (!isConnectionLost(cause) || this.#isClosed) return;
    const { message } = storeError(cause, this.place);
    if (this.#away === undefined) this.#report({ kind: 'failing', message: `${message}; ${AWAY}` });
    this.#away = message;
  }

  async #withClient<Result>(work: (client: PgClient) => Promise<Result>): Promise<Result> {
    let client: PgClient | undefined;
    let failure: Error | undefined;
    try {
      client = await (await this.#open()).connect();
      return await work(client);
    } catch (cause) {
      this.#notice(cause);
      failure = storeError(cause, this.place);
      throw failure;
    } finally {
      // With an error, the connection is closed: its transaction is in an unknown state.
      client?.release(failure);
    }
  }

  #open(): Promise<PgPool> {
    if (this.#isClosed) throw new LoopError('closed', 'the store is closed');
    this.#pool ??= this.#create();
    return this.#pool;
  }

  async #create(): Promise<PgPool> {
    const { pool: given, ssl, connections = 4, connectTimeoutMs = 5_000, queryTimeoutMs = 10_000 } = this.#options;
    const url = this.#url;
    if (url === undefined) return withListeners(given as PgPool); // one of them is given: see the constructor
    const limits = { connections: connections + 1, connectTimeoutMs, queryTimeoutMs };
    const pool = await openPool({ url, ...(ssl !== undefined && { ssl }), ...limits }).catch((error: unknown) => {
      this.#pool = undefined;
      throw error;
    });
    return withListeners(pool);
  }

  /** Ends the connections, except those of a given pool. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#options.pool === undefined) await (await this.#pool?.catch(() => undefined))?.end();
  }
}
