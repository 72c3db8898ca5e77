import { LoopError } from 'rsi-loop';

/** By text of the server or the driver: the setting to change. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'start the server, or correct host and port in url'],
  [/ENOTFOUND|EAI_AGAIN/, 'correct the host in url'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/, 'check the network, and host and port in url'],
  [/^(?:NOAUTH|WRONGPASS)|invalid password/, 'correct the user and the password in url'],
  [/^NOPERM/, 'allow the user to read and write the stream, and to run EVAL'],
  [/^OOM/, 'raise maxmemory of the server, or lower maxLength'],
  [/^READONLY/, 'the server is a replica: let url name the primary'],
  [/^MOVED/, 'the server is part of a cluster: give an ioredis Cluster as client'],
  [/^LOADING/, 'the server is starting up'],
  [/^MISCONF|^NOREPLICAS/, 'the server cannot write to its disk: free space there'],
  [/^(?:NOGROUP|UNBLOCKED)|no such key/, 'the server lost the stream: it is created again'],
  [/^WRONGTYPE/, 'the key holds something else: give another stream'],
  [/unknown command/, 'the server is too old: use Redis 6.2 or later, or Valkey'],
  [/self.signed|certificate|altnames/i, 'the certificate of the server is not trusted: give a client with tls.ca'],
  [
    /Command timed out|Connection is closed|max retries|Socket closed/i,
    'the server does not answer: check the network',
  ],
];

/** Returns an error of the driver or the server as one sentence that names the setting to change. */
export function redisError(cause: unknown, server: string): LoopError {
  if (LoopError.is(cause)) return cause;
  const message = messageOf(cause);
  const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  const end = advice === undefined ? '' : `: ${advice}`;
  return new LoopError('store-failed', `Redis at ${server}: ${message}${end}`, { cause });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node tries several addresses of one host, and joins their errors.
  if (error.message === '' && error instanceof AggregateError) return messageOf(error.errors[0]);
  return error.message || error.name;
}
