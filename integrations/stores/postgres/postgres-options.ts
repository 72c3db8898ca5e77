import { type Clock, LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type { PgPool, TlsOptions } from './driver.js';

/** Location of a loop in a database: an address, or a pool of yours. */
export type PostgresPlace =
  | {
      /** `postgres://user:password@host:port/database`; missing parts come from PGHOST, PGUSER, PGPASSWORD and so on. */
      readonly url: string;
      readonly pool?: never;
    }
  | {
      /** `pg.Pool` that you create, and end after `close`. */
      readonly pool: PgPool;
      readonly url?: never;
    };

export interface PostgresSettings {
  /** Schema that holds the tables, so that one database can hold several loops. Default: `?schema=` of `url`, or `rsi`. */
  readonly schema?: string;
  /** TLS settings for `tls.connect`; overrides `sslmode` in `url`. Only with `url`. */
  readonly ssl?: boolean | TlsOptions;
  /** Maximum number of connections, besides one that listens. Only with `url`. Default 4. */
  readonly connections?: number;
  /** Maximum time to connect, and for the answer to a query. Only with `url`. Default 5,000 and 10,000. */
  readonly connectTimeoutMs?: number;
  readonly queryTimeoutMs?: number;
  /** Longest time before records are sent: a killed process can lose this much. Default 50. */
  readonly flushMs?: number;
  /** Records that may wait in memory while the server does not answer. More are dropped and counted. Default 100,000. */
  readonly maxQueued?: number;
  /**
   * Days after which records are deleted; decisions are never deleted. Kept in the schema for all processes, and changed
   * only by its owner. Default: what the schema has, 30 in a new one.
   */
  readonly retainDays?: number;
  /** Only reads: creates nothing, and rejects every change. Default false. */
  readonly readOnly?: boolean;
  /** Name this process writes under: 12 letters and digits, unique among living processes. Default: random. */
  readonly writer?: string;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Options of `PostgresStore`. */
export type PostgresStoreOptions = PostgresPlace & PostgresSettings;

/** Returns the schema that the options name, as an SQL identifier, and the address without it. */
export function placeOf({ url, schema }: Pick<PostgresStoreOptions, 'url' | 'schema'>): {
  readonly server: string;
  readonly schema: string;
  readonly url?: string;
} {
  if (url === undefined) return { server: 'the given pool', schema: schemaOf(schema) };
  const server = serverOf(url);
  const address = new URL(url);
  const named = address.searchParams.get('schema') ?? undefined;
  address.searchParams.delete('schema');
  return { server, schema: schemaOf(schema ?? named), url: address.href };
}

/**
 * Returns the schema as an SQL identifier.
 * @throws LoopError `invalid-input` for a name that would need quotes in SQL.
 */
export function schemaOf(schema = 'rsi'): string {
  if (typeof schema === 'string' && /^[a-z_][a-z0-9_]{0,40}$/.test(schema)) return schema;
  throw new LoopError(
    'invalid-input',
    `schema is ${showValue(schema)}: give up to 41 small letters, digits and _, not beginning with a digit`,
  );
}

/**
 * Returns host, port and database of an address, without user and password.
 * @throws LoopError `invalid-input` for text that is not the address of a PostgreSQL server.
 */
export function serverOf(url: string): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new LoopError(
      'invalid-input',
      'url is not an address of PostgreSQL: give postgres://user@host:port/database',
    );
  }
  return `${parsed.host || 'the local socket'}${parsed.pathname}`;
}

export function atLeast(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give a number of at least ${least}`);
}
