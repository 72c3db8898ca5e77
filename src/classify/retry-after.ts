/** Longest wait believed: anything above is a misread date or number. */
const MAX_MS = 31 * 86_400_000;

/** The wait that fields of an error body or SDK object state. */
export function statedDelayMs(read: (key: string) => unknown): number | undefined {
  for (const key of ['retryAfterMs', 'retry_after_ms']) {
    const delay = plausible(Number(read(key) ?? Number.NaN));
    if (delay !== undefined) return delay;
  }
  for (const key of ['retryAfter', 'retry_after', 'retryDelay', 'retry_after_seconds']) {
    const value = read(key);
    const delay =
      typeof value === 'number'
        ? plausible(value * 1000)
        : typeof value === 'string'
          ? parseDuration(value)
          : undefined;
    if (delay !== undefined) return delay;
  }
  return undefined;
}

/** The wait that response headers state: the exact ones first, then when a provider's limit opens again. */
export function headerDelayMs(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const delay = plausible(Number(header(name) ?? Number.NaN));
    if (delay !== undefined) return delay;
  }
  const retryAfter = header('retry-after');
  if (retryAfter !== undefined) {
    const delay = parseDuration(retryAfter) ?? untilDate(retryAfter, header('date'), nowMs);
    if (delay !== undefined) return delay;
  }
  return undefined;
}

/** Seconds where no unit is given: `20`, `7.5s`, `1m30s`, `450ms`, `PT20S`. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(trimmed)) return plausible(Number(trimmed) * 1000);
  const found =
    /^(?:PT)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/i.exec(trimmed);
  if (!found || trimmed === '') return undefined;
  const [, hours, minutes, seconds, milliseconds] = found;
  return plausible(
    Number(hours ?? 0) * 3_600_000 +
      Number(minutes ?? 0) * 60_000 +
      Number(seconds ?? 0) * 1000 +
      Number(milliseconds ?? 0),
  );
}

/** Against the server's own clock where it sent one. */
function untilDate(date: string, serverDate: string | undefined, nowMs: number): number | undefined {
  const now = Date.parse(serverDate ?? '');
  return plausible(Math.max(0, Date.parse(date) - (Number.isNaN(now) ? nowMs : now)));
}

function plausible(delayMs: number): number | undefined {
  return delayMs >= 0 && delayMs <= MAX_MS ? Math.round(delayMs) : undefined;
}
