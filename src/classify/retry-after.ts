/** Maximum accepted wait: anything longer is a misread date or number. */
const MAX_MS = 31 * 86_400_000;

/** Returns the wait stated in fields of an error body or SDK object. */
export function statedDelayMs(read: (key: string) => unknown): number | undefined {
  return (
    delay(read('retryAfterMs') ?? read('retry_after_ms'), 1) ??
    delay(read('retryAfter') ?? read('retry_after') ?? read('retryDelay'), 1000)
  );
}

/**
 * Returns the wait stated in response headers. Exact ones come first, then the reset times of exhausted limits. (OpenAI
 * `x-ratelimit-*`, Anthropic `anthropic-ratelimit-*`, GitHub `x-ratelimit-reset`.)
 */
export function headerDelayMs(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const exact = delay(header('retry-after-ms') ?? header('x-ms-retry-after-ms'), 1);
  if (exact !== undefined) return exact;
  // Relative to the server's own clock if it sent one.
  const now = Date.parse(header('date') ?? '') || nowMs;
  const after = header('retry-after');
  const stated = delay(after, 1000) ?? until(after, now);
  if (stated !== undefined) return stated;
  const waits = RESET_HEADERS.flatMap((name) => resetDelayMs(name, header, now) ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Returns the time until a limit is reset, if it is exhausted. */
function resetDelayMs(name: string, header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const reset = header(name.replace('*', 'reset'));
  if (reset === undefined || header(name.replace('*', 'remaining')) !== '0') return undefined;
  if (Number(reset) > 1e9) return until(new Date(Number(reset) * 1000).toISOString(), nowMs);
  return delay(reset, 1000) ?? until(reset, nowMs);
}

const RESET_HEADERS = [
  'x-ratelimit-*',
  'x-ratelimit-*-requests',
  'x-ratelimit-*-tokens',
  'anthropic-ratelimit-requests-*',
  'anthropic-ratelimit-tokens-*',
];

/**
 * Returns the wait stated in a sentence: `try again in 1m30s`, `Retry after 7 seconds`, `retry_after=30`,
 * `"retryDelay": "34s"`.
 */
export function statedInText(text: string): number | undefined {
  const found = STATED.exec(text);
  return found ? delay(found[1], 1000) : undefined;
}

const STATED =
  /(?:again in|retry[ _-]?(?:after|in|delay)|wait)[ "':=]{1,4}((?:\d{1,9}(?:\.\d{1,9})? ?[a-z]{0,12} ?){1,3})/i;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  mi: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  s: 1000,
};

/** Returns the delay of a number in `unitMs`, or of numbers with units: `7.5s`, `1m30s`, `450ms`, `2 minutes`. */
export function delay(value: unknown, unitMs: number): number | undefined {
  if (typeof value === 'number') return plausible(value * unitMs);
  if (typeof value !== 'string' || !/^\d/.test(value)) return undefined;
  if (/^[\d.]{1,20}\s*$/.test(value)) return plausible(Number(value) * unitMs);
  if (value.length > 60 || /^\d{4}-/.test(value)) return undefined;
  let sum: number | undefined;
  for (const [, amount, unit] of value.matchAll(/(\d{1,20}(?:\.\d{1,20})?) ?([a-z]{1,20})/gi)) {
    const name = (unit ?? '').toLowerCase();
    const factor = UNIT_MS[name] ?? UNIT_MS[name.startsWith('mil') ? 'ms' : name.slice(0, 1)];
    if (factor === undefined) break;
    sum = (sum ?? 0) + Number(amount) * factor;
  }
  return sum === undefined ? undefined : plausible(sum);
}

/** Returns the time from `nowMs` to a date. */
export function until(date: string | undefined, nowMs: number): number | undefined {
  return date === undefined ? undefined : plausible(Math.max(0, Date.parse(date) - nowMs));
}

function plausible(delayMs: number): number | undefined {
  return delayMs >= 0 && delayMs <= MAX_MS ? Math.round(delayMs) : undefined;
}
