import { InvalidArgumentError, Option } from 'commander';

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** Returns the option `--since` of verbs that read outcomes. */
export function sinceOption(): Option {
  const meaning = 'only what ended since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03';
  return new Option('--since <when>', meaning).argParser((text) => {
    const sinceMs = parseSince(text, Date.now());
    if (sinceMs !== undefined) return sinceMs;
    throw new InvalidArgumentError('Give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03.');
  });
}

/**
 * Parses `90m`, `24h`, `7d` or `2w` before `nowMs`, or a date such as `2025-10-03`, to epoch milliseconds; else
 * undefined.
 */
export function parseSince(text: string, nowMs: number): number | undefined {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text.trim());
  if (ago) {
    const sinceMs = nowMs - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0);
    return sinceMs < nowMs ? sinceMs : undefined;
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text.trim())) return undefined;
  // A date alone is in the person's own time zone, which is also how the report shows days.
  const sinceMs = Date.parse(text.trim().length === 10 ? `${text.trim()}T00:00` : text.trim());
  return sinceMs < nowMs ? sinceMs : undefined;
}
