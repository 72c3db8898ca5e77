import { InvalidArgumentError, Option } from 'commander';

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** Range given on the command line, in epoch milliseconds. */
export interface Range {
  readonly since?: number;
  readonly until?: number;
}

/** Returns the options `--since` and `--until` of verbs that read what was recorded. */
export function rangeOptions(): readonly Option[] {
  return [sinceOption(), untilOption()];
}

/** Returns the option `--since` of verbs that read outcomes. */
export function sinceOption(): Option {
  return timeOption('--since <when>', 'only what ended since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03');
}

/** Returns the option `--until`, which takes the same times. */
export function untilOption(): Option {
  return timeOption('--until <when>', 'only what ended before then: the same forms');
}

function timeOption(flags: string, meaning: string): Option {
  return new Option(flags, meaning).argParser((text) => {
    const atMs = parseSince(text, Date.now());
    if (atMs !== undefined) return atMs;
    throw new InvalidArgumentError('Give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03.');
  });
}

/** Returns whether a time lies in the range. */
export function isWithin(atMs: number, { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Range) {
  return atMs >= since && atMs <= until;
}

/** Returns the range as options of a reading. */
export function periodOf({ since, until }: Range): { readonly sinceMs?: number; readonly untilMs?: number } {
  return { ...(since !== undefined && { sinceMs: since }), ...(until !== undefined && { untilMs: until }) };
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
