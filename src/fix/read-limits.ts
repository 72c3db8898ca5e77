import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';

/** Number of requests that a provider allows in a period of time. */
export interface RequestLimit {
  readonly requests: number;
  readonly perMs: number;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `Limit: 3 / min`, `60 requests per minute`, `20 req/s`. Bounded repeats keep it linear on hostile text. */
const REQUEST_LIMIT =
  /\b(?<count>\d{1,6}) ?(?:requests?|req|calls?)? ?(?:\/|per) ?(?<unit>s|sec|second|m|min|minute|h|hour)s?\b/i;
/** `on requests per min (RPM): Limit 60, Used 60`: the unit comes first. Token limits look alike and are excluded. */
const UNIT_FIRST =
  /\brequests per (?<unit>s|sec|second|m|min|minute|h|hour)s?\b(?: \(\w{1,8}\))?: Limit:? (?<count>\d{1,6})\b/i;
/** `maximum context length is 8192 tokens`, `max_model_len of 4,096`, `limit of 128000 tokens`. */
const TOKEN_LIMIT = /(?:\b|_)(?:maximum|max|limit|length|len|window)\b\D{0,40}?(\d{1,3}(?:[,_]\d{3})+|\d{3,8})\b/i;

/** Returns the request limit that one of the messages states. */
export function readRequestLimit(messages: readonly string[]): RequestLimit | undefined {
  for (const message of messages) {
    const { count = '', unit = '' } = (UNIT_FIRST.exec(message) ?? REQUEST_LIMIT.exec(message))?.groups ?? {};
    const requests = Number(count);
    const perMs = UNITS_MS[unit.charAt(0).toLowerCase()];
    if (requests > 0 && perMs !== undefined) return { requests, perMs };
  }
  return undefined;
}

/** Returns whether the task succeeds clearly faster than a limit allows, which is then not a limit of all its calls. */
export function isLimitOfOneKey({ requests, perMs }: RequestLimit, task: TaskStatistics): boolean {
  return succeededPerMs(task) > (FASTER * requests) / perMs;
}

/** Returns what to tell the host about failures at a limit of one key of several; undefined if there is no such limit. */
export function describeLimitOfOneKey({ issue, examples }: Pattern, task: TaskStatistics): string | undefined {
  const limit = issue === 'rate_limit' ? readRequestLimit(examples) : undefined;
  if (limit === undefined || !isLimitOfOneKey(limit, task)) return undefined;
  const name = JSON.stringify(task.task);
  const stated = `a limit of ${limit.requests} requests in ${describeMs(limit.perMs)}`;
  return `errors of ${name} state ${stated}, but ${Math.round(succeededPerMs(task) * limit.perMs)} of its tasks succeed in that time: the limit belongs to one key, tenant or account of several, so no setting is proposed. Call loop.run(${name}, fn, { quota: key }) with the key or tenant of each call, so that waits, retries and breaker of one never hold up the others`;
}

export function describeMs(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`;
}

function succeededPerMs({ perDay, outcomes, failures }: TaskStatistics): number {
  return (perDay * (1 - failures / Math.max(1, outcomes))) / DAY_MS;
}

/** A task succeeds at this many times the stated pace only if the limit belongs to one of its keys or accounts. */
const FASTER = 1.2;
const DAY_MS = 86_400_000;

/** Returns the largest input in tokens that one of the messages allows. */
export function readTokenLimit(messages: readonly string[]): number | undefined {
  for (const message of messages) {
    const tokens = Number(TOKEN_LIMIT.exec(message)?.[1]?.replace(/[,_]/g, ''));
    if (tokens >= MIN_TOKENS) return tokens;
  }
  return undefined;
}

/** Smaller numbers in such a message mean something else. */
const MIN_TOKENS = 256;
