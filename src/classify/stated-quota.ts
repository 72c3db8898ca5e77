import { readHeader } from './facts.js';
import { delay, until } from './retry-after.js';

/** Request quota of a provider, as it states it with an answer. */
export interface StatedQuota {
  /** Requests that the full bucket holds. */
  readonly limit: number;
  readonly remaining: number;
  /** Time until the bucket is full again, in milliseconds. */
  readonly resetMs: number;
}

/** Headers of providers whose quota refills continuously. The plain `x-ratelimit-*` often mean fixed windows. */
const PREFIXES = [
  {
    limit: 'x-ratelimit-limit-requests',
    remaining: 'x-ratelimit-remaining-requests',
    reset: 'x-ratelimit-reset-requests',
  },
  {
    limit: 'anthropic-ratelimit-requests-limit',
    remaining: 'anthropic-ratelimit-requests-remaining',
    reset: 'anthropic-ratelimit-requests-reset',
  },
] as const;

/** Returns the request quota that response headers state; undefined if they state none, or are no headers. */
export function readStatedQuota(headers: unknown, nowMs: number): StatedQuota | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  for (const names of PREFIXES) {
    const remaining = readHeader(headers, names.remaining);
    if (remaining === undefined) continue;
    const reset = readHeader(headers, names.reset);
    const sentMs = Date.parse(readHeader(headers, 'date') ?? '') || nowMs;
    const quota = {
      limit: Number(readHeader(headers, names.limit)),
      remaining: Number(remaining),
      resetMs: delay(reset, 1_000) ?? until(reset, sentMs) ?? Number.NaN,
    };
    const isPlausible =
      quota.limit >= 1 && quota.remaining >= 0 && quota.remaining <= quota.limit && quota.resetMs >= 0;
    return isPlausible ? quota : undefined;
  }
  return undefined;
}

/** Returns the headers of a value that is a response, or holds one as SDKs return it. */
export function headersOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    if ('headers' in value) return value.headers;
    const response = 'response' in value ? value.response : undefined;
    return typeof response === 'object' && response !== null && 'headers' in response ? response.headers : undefined;
  } catch {
    return undefined; // a getter or a proxy that throws
  }
}
