import { LoopError } from 'rsi-loop';

/** Rows of a query, as `pg` returns them. Each query states the type of its rows. */
export interface PgResult<Row> {
  readonly rows: Row[];
}

/** Message of `NOTIFY`. */
export interface PgNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** Connection of a pool. Part of `pg.PoolClient` that the store uses. */
export interface PgClient {
  query<Row>(text: string, values?: unknown[]): Promise<PgResult<Row>>;
  release(error?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'notification', listener: (notification: PgNotification) => void): unknown;
  /** Lets the process end while the connection is idle. */
  unref?(): void;
}

/** Part of `pg.Pool` that the store uses. */
export interface PgPool {
  query<Row>(text: string, values?: unknown[]): Promise<PgResult<Row>>;
  connect(): Promise<PgClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'acquire', listener: (client: PgClient) => void): unknown;
  end(): Promise<void>;
}

/** TLS settings, as `tls.connect` takes them; `true` verifies the server against the system's authorities. */
export interface TlsOptions {
  readonly rejectUnauthorized?: boolean;
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
}

export interface PoolOptions {
  readonly url: string;
  readonly ssl?: boolean | TlsOptions;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly queryTimeoutMs: number;
}

/**
 * Opens a pool of `pg`, which is loaded here.
 * @throws LoopError `missing-peer` if `pg` cannot be loaded.
 */
export async function openPool(options: PoolOptions): Promise<PgPool> {
  const { default: pg } = await import('pg').catch((cause: Error) => {
    const message = `the PostgreSQL store cannot load the package pg (${cause.message}): npm install pg, and leave it out of a bundle`;
    throw new LoopError('missing-peer', message, { cause });
  });
  return new pg.Pool({
    connectionString: options.url,
    ...(options.ssl !== undefined && { ssl: options.ssl as boolean }), // `pg` passes an object on to tls.connect
    max: options.connections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    query_timeout: options.queryTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'rsi-loop',
  });
}

/**
 * Keeps a connection that breaks from ending the process: idle, between two statements, or after its statement failed.
 * The next query opens another one and reports what fails.
 */
export function withListeners(pool: PgPool): PgPool {
  const heard = new WeakSet<PgClient>();
  pool.on('error', () => {});
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => {});
  });
  return pool;
}
