import { randomBytes } from 'node:crypto';
import { type Clock, LoopError, type RSILoop, SystemClock } from 'rsi-loop';

/** How much anybody may send or hold open. */
export interface LoopLimits {
  /** A body that is read as a whole, as it was sent and unpacked; also one line of a stream. Default 1 MiB. */
  readonly bodyBytes?: number;
  /** A stream of lines in all. Default 1 GiB. */
  readonly streamBytes?: number;
  /** What a compressed body may unpack to, lines excepted; also a body of traces. Default 16 MiB. */
  readonly unpackedBytes?: number;
  /** Requests per second and address, as a mean. Default 5,000; twice as many may come at once. */
  readonly requestsPerSecond?: number;
  /** Tasks that were begun here and have not ended. Default 20,000. */
  readonly openTasks?: number;
  /** Ids whose second coming is known. Default 100,000. */
  readonly rememberedIds?: number;
  /** Readers of `/events` at once. Default 100. */
  readonly eventReaders?: number;
}

export interface LoopRoutesOptions {
  readonly loop: RSILoop;
  /** Shown by senders as `Authorization: Bearer <token>`; at least 16 characters. */
  readonly token?: string;
  /** Key of the signatures that senders may give in place of a token; at least 16 characters. */
  readonly hmacSecret?: string;
  /**
   * Shown in place of `token` by clients that decide on fixes; at least 16 characters. Default: senders with the token decide,
   * and where there is neither token nor secret, only those who know the one that `serve` makes (`server.decisionToken`).
   */
  readonly decisionToken?: string;
  /** Names the server is reached by besides `localhost` and loopback addresses, e.g. `rsi.internal`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may send, e.g. `https://dashboard.example.com`. Default: the server's own. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: LoopLimits;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

export type Limits = Readonly<Required<LoopLimits>>;

/** The options, checked and with their defaults. */
export interface RouteSettings {
  readonly loop: RSILoop;
  readonly token: string | undefined;
  readonly hmacSecret: string | undefined;
  readonly decisionToken: string | undefined;
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly limits: Limits;
  readonly clock: Clock;
}

const MIB = 1_048_576;
const DEFAULT_LIMITS: Limits = {
  bodyBytes: MIB,
  streamBytes: 1_024 * MIB,
  unpackedBytes: 16 * MIB,
  requestsPerSecond: 5_000,
  openTasks: 20_000,
  rememberedIds: 100_000,
  eventReaders: 100,
};
/** Shorter ones can be guessed. */
const SHORTEST_SECRET = 16;
const KNOWN: ReadonlySet<string> = new Set<keyof LoopRoutesOptions | 'prefix' | 'logLevel'>([
  'loop',
  'token',
  'hmacSecret',
  'decisionToken',
  'allowedHosts',
  'allowedOrigins',
  'limits',
  'clock',
  // Those that fastify itself takes.
  'prefix',
  'logLevel',
]);

/** @throws LoopError `invalid-input` naming the option that cannot be used. */
export function readOptions(options: LoopRoutesOptions): RouteSettings {
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw wrong(name, 'is no option', `give one of ${[...KNOWN].join(', ')}`);
  }
  if (typeof options.loop?.begin !== 'function') throw wrong('loop', 'is missing', 'give an RSILoop');
  const token = readSecret('token', options.token);
  const hmacSecret = readSecret('hmacSecret', options.hmacSecret);
  // Every user of a machine reaches its loopback, and not every one may decide.
  const ownToken = token === undefined && hmacSecret === undefined ? randomBytes(24).toString('hex') : undefined;
  return {
    loop: options.loop,
    token,
    hmacSecret,
    decisionToken: readSecret('decisionToken', options.decisionToken) ?? ownToken,
    allowedHosts: new Set((options.allowedHosts ?? []).map((host) => host.toLowerCase())),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(readOrigin)),
    limits: readLimits(options.limits ?? {}),
    clock: options.clock ?? new SystemClock(),
  };
}

function readSecret(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length >= SHORTEST_SECRET) return value;
  // The value itself is never shown: it may be most of a secret.
  throw wrong(name, 'is too short', `give at least ${SHORTEST_SECRET} characters`);
}

function readOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw wrong('allowedOrigins', `has ${JSON.stringify(origin)}`, 'give origins such as https://dashboard.example.com');
}

function readLimits(limits: LoopLimits): Limits {
  const read: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw wrong(`limits.${name}`, 'is no limit', `give one of ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    }
    if (value === undefined) continue;
    if (!(value >= 1)) throw wrong(`limits.${name}`, `is ${value}`, 'give a number of at least 1');
    read[name] = value;
  }
  return read as unknown as Limits; // the defaults have every name, and only their names were written
}

function wrong(name: string, what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `${name} ${what}: ${advice}`);
}
