import { randomBytes } from 'node:crypto';
import { type Clock, LoopError, type RSILoop, SystemClock } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import { readHosts } from '../../http/guard.js';
import { readSecret } from '../../http/secret.js';

/** Limits on what clients may send or hold open. */
export interface LoopLimits {
  /**
   * Maximum size of a body that is read as a whole, before and after unpacking, and of one streamed line. Default 1
   * MiB.
   */
  readonly bodyBytes?: number;
  /** Maximum size of a stream of lines. Default 1 GiB. */
  readonly streamBytes?: number;
  /** Maximum unpacked size of a compressed body, except lines; also of a body of traces. Default 16 MiB. */
  readonly unpackedBytes?: number;
  /** Average requests per second and address. Default 5,000; bursts of twice as many are allowed. */
  readonly requestsPerSecond?: number;
  /** Maximum number of open tasks that were begun here. Default 20,000. */
  readonly openTasks?: number;
  /** Number of ids remembered to detect repeats. Default 100,000. */
  readonly rememberedIds?: number;
  /** Maximum number of concurrent readers of `/events`. Default 100. */
  readonly eventReaders?: number;
}

/** Options of the routes of a loop. */
export interface LoopRoutesOptions {
  readonly loop: RSILoop;
  /** Path that the routes are mounted on. Begins and ends with `/`. Default `/`. */
  readonly prefix?: string;
  /** Token that senders present as `Authorization: Bearer <token>`; at least 16 characters. */
  readonly token?: string;
  /** Key for signatures that senders may use in place of a token; at least 16 characters. */
  readonly hmacSecret?: string;
  /**
   * Token that clients present in place of `token` to decide on fixes; at least 16 characters. Default: `token`. If
   * there is neither token nor secret, it is the one that `serve` creates (`server.decisionToken`).
   */
  readonly decisionToken?: string;
  /** Host names of the server besides `localhost` and loopback addresses, e.g. `rsi.internal`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may send requests, e.g. `https://dashboard.example.com`. Default: the server's own. */
  readonly allowedOrigins?: readonly string[];
  /** Whether to serve the dashboard under `/dashboard/`. Default false. */
  readonly dashboard?: boolean;
  readonly limits?: LoopLimits;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

export type Limits = Readonly<Required<LoopLimits>>;

/** Validated options with defaults. */
export interface RouteSettings {
  readonly loop: RSILoop;
  readonly prefix: string;
  readonly token: string | undefined;
  readonly hmacSecret: string | undefined;
  readonly decisionToken: string | undefined;
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly dashboard: boolean;
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
const KNOWN: ReadonlySet<string> = new Set<keyof LoopRoutesOptions>([
  'loop',
  'prefix',
  'token',
  'hmacSecret',
  'decisionToken',
  'allowedHosts',
  'allowedOrigins',
  'dashboard',
  'limits',
  'clock',
]);

/**
 * Validates the options and applies the defaults.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export function readOptions(options: LoopRoutesOptions): RouteSettings {
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) throw wrong(name, 'is not an option', `give one of ${[...KNOWN].join(', ')}`);
  }
  if (typeof options.loop?.begin !== 'function') throw wrong('loop', 'is missing', 'give an RSILoop');
  const token = readSecret('token', options.token);
  const hmacSecret = readSecret('hmacSecret', options.hmacSecret);
  // Every user of a machine can reach its loopback address, but not every one may decide.
  const ownToken = token === undefined && hmacSecret === undefined ? randomBytes(24).toString('hex') : undefined;
  return {
    loop: options.loop,
    prefix: readPrefix(options.prefix),
    token,
    hmacSecret,
    decisionToken: readSecret('decisionToken', options.decisionToken) ?? ownToken,
    allowedHosts: readHosts(options.allowedHosts),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(readOrigin)),
    dashboard: options.dashboard ?? false,
    limits: readLimits(options.limits ?? {}),
    clock: options.clock ?? new SystemClock(),
  };
}

function readPrefix(prefix = '/'): string {
  if (typeof prefix === 'string' && /^\/(?:[\w.~-]+\/)*$/.test(prefix)) return prefix;
  throw wrong('prefix', `is ${showValue(prefix)}`, 'give a path such as /rsi/');
}

function readOrigin(origin: string): string {
  if (typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw wrong('allowedOrigins', `has ${showValue(origin)}`, 'give origins such as https://dashboard.example.com');
}

function readLimits(limits: LoopLimits): Limits {
  const read: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw wrong(`limits.${name}`, 'is not a limit', `give one of ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    }
    if (value === undefined) continue;
    if (!isWithin(value, 1)) throw wrong(`limits.${name}`, `is ${showValue(value)}`, 'give a number of at least 1');
    read[name] = value;
  }
  return read as unknown as Limits; // the defaults have every name, and only those were written
}

function wrong(name: string, what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `${name} ${what}: ${advice}`);
}
