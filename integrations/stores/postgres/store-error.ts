import { LoopError } from 'rsi-loop';

/** Names of what a store connects to, for error messages. Never contains a password. */
export interface Place {
  readonly server: string;
  readonly schema: string;
}

interface PgError {
  readonly code: string;
  readonly message: string;
}

type Advice = (place: Place) => string;

const MIGRATE = 'run "rsi store migrate" with the role that owns the schema';

/** By SQLSTATE: the setting to change. */
const BY_CODE: Readonly<Record<string, Advice>> = {
  '28P01': () => 'correct the user or the password in url, or set PGPASSWORD',
  '28000': () => 'check user and ssl in url against pg_hba.conf of the server',
  '3D000': () => 'create the database, or correct its name at the end of url',
  '42501': () => 'grant the role its rights with the script that "rsi store roles" prints',
  '42P01': ({ schema }) => `a table of schema ${schema} is missing: restore it, or give another schema`,
  '3F000': ({ schema }) => `schema ${schema} is missing: ${MIGRATE}`,
  '42703': () => `the schema belongs to another version: ${MIGRATE}`,
  '42883': () => `the schema belongs to another version: ${MIGRATE}`,
  '25006': () => 'the server is a read-only standby: let url name the primary, e.g. with target_session_attrs',
  '53100': () => 'the disk of the server is full: free space there',
  '53200': () => 'the server is out of memory',
  '53300': () => 'the server has no free connection: lower connections, or raise max_connections',
  '57P01': () => 'the server is shutting down',
  '57P02': () => 'the server crashed and restarts',
  '57P03': () => 'the server is starting up',
  '57014': () => 'the server cancelled the query: raise statement_timeout of the role',
};

/** By system error and by message of the driver or a pooler: the setting to change. */
const BY_MESSAGE: readonly (readonly [RegExp, Advice])[] = [
  [/ECONNREFUSED/, () => 'start the server, or correct host and port in url'],
  [/ENOTFOUND|EAI_AGAIN/, () => 'correct the host in url'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/, () => 'check the network, and host and port in url'],
  [
    /connection timeout|timeout expired|timeout exceeded when trying to connect/i,
    () => 'the server does not answer: check host, port and firewall, or raise connectTimeoutMs',
  ],
  [/query read timeout/i, () => 'the server does not answer: check the network, or raise queryTimeoutMs'],
  [/does not support SSL/i, () => 'the server has no TLS: remove ssl, or sslmode from url'],
  [
    /no encryption|SSL off|SSL required|requires? (?:SSL|TLS)/i,
    () => 'set ssl: true if the server requires TLS, else check user and database against its pg_hba.conf',
  ],
  [
    /self.signed|certificate|altnames/i,
    () => 'the certificate of the server is not trusted: set ssl.ca, or sslrootcert in url',
  ],
  [/password must be a string|no password/i, () => 'give a password in url, or set PGPASSWORD'],
  [
    /statement pooling mode|statement mode/i,
    () => 'the pooler is in statement mode: set pool_mode = transaction or session',
  ],
  [/prepared statement/i, () => 'the pooler mixes sessions: set pool_mode = transaction or session'],
];

/** Returns the error of a query as one sentence that names the setting to change. */
export function storeError(cause: unknown, place: Place): LoopError {
  if (LoopError.is(cause)) return cause;
  const { code, message } = fieldsOf(cause);
  // A rejected connection without TLS has the code of a rejected role.
  const byMessage = BY_MESSAGE.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  const advice = (byMessage ?? BY_CODE[code])?.(place);
  const end = advice === undefined ? '' : `: ${advice}`;
  return new LoopError('store-failed', `PostgreSQL at ${place.server}: ${message || code || 'no answer'}${end}`, {
    cause,
  });
}

/** Returns the SQLSTATE behind an error, or `''`. */
export function sqlStateOf(error: unknown): string {
  const cause = LoopError.is(error) ? error.cause : error;
  return fieldsOf(cause).code;
}

/**
 * Returns whether the server rejected the values of a query, so that the same query fails again: invalid data, or a
 * limit of the server.
 */
export function isRejectedData(error: unknown): boolean {
  const state = sqlStateOf(error);
  return /^(?:22|54)/.test(state) || (/^23/.test(state) && !isPartitionMissing(error));
}

/**
 * Returns whether the connection failed, so that it is unknown whether the statement ran. Classes 08 and 57P are those
 * of a server that ends connections.
 */
export function isConnectionLost(error: unknown): boolean {
  const cause = LoopError.is(error) ? error.cause : error;
  const { code, message } = fieldsOf(cause);
  const isSystem = /^E[A-Z]+$/.test(code) || /^(?:08|57P)/.test(code);
  return isSystem || /terminated|read timeout|timeout exceeded|connection timeout/i.test(message);
}

/** Returns whether a query failed because its table or schema is gone. */
export function isSchemaMissing(error: unknown): boolean {
  return ['3F000', '42P01'].includes(sqlStateOf(error));
}

/** Returns whether an insert failed because no partition exists for its day. */
export function isPartitionMissing(error: unknown): boolean {
  const cause = LoopError.is(error) ? error.cause : error;
  return fieldsOf(cause).code === '23514' && fieldsOf(cause).message.includes('partition');
}

function fieldsOf(error: unknown): PgError {
  if (typeof error !== 'object' || error === null) return { code: '', message: String(error) };
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown }; // read with care
  // Node tries several addresses of one host, and joins their errors.
  if (message === '' && Array.isArray(errors) && errors.length > 0) return fieldsOf(errors[0]);
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' };
}
