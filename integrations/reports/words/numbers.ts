/**
 * Numbers, durations and times in words, once for every door: command line, page, alerts and CI. Runs in browsers. A
 * number and its unit are separated by a space, which the page replaces by one that does not break.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Value without enough data. */
export const NOT_ENOUGH = 'not enough data';

/** Formats a whole number: `1,204`. `Intl` would take longer to start than the rest of a command. */
export function whole(value: number): string {
  let text = value.toFixed(0);
  for (let at = text.length - 3; at > (value < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Formats a count with its noun: `3 files`, `1 file`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${whole(count)} ${Math.round(count) === 1 ? noun : nouns}`;
}

/** Formats a number with two significant digits: `4.9`, `0.031`, `1,200`. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(1).replace('e+', 'e');
  if (size >= 100) return whole(value);
  if (size === 0) return '0';
  if (size < 1e-4) return value.toExponential(1);
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(decimals, 6));
}

/** Formats a share as a percentage with two significant digits. A share below 1 never reads `100 %`. */
export function percent(share: number): string {
  return `${percentOf(share)} %`;
}

/** Formats a share in per cent without its unit: `21`, `4.7`, `0.12`, `99.5`. */
export function percentOf(share: number): string {
  const value = share * 100;
  if (value >= 100 || value <= 0) return whole(value);
  if (value > 99) {
    const decimals = Math.min(4, Math.ceil(-Math.log10(100 - value)) || 1);
    const text = value.toFixed(decimals);
    return text.startsWith('100') ? '99.99' : text;
  }
  return value >= 9.95 ? value.toFixed(0) : digits(value);
}

/** Formats a share with its denominator: `28 % of 3,140`. */
export function rateOf({ value, of }: { readonly value: number; readonly of: number }): string {
  return of > 0 ? `${percent(value)} of ${whole(of)}` : NOT_ENOUGH;
}

/** Returns true if the interval of a rate is informative. It is 0 to 1 if the period is too short. */
export function hasInterval({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return low > 0 || high < 1;
}

/** Formats the interval of a share: `24 to 33 %`. */
export function percentRange(interval: { readonly low: number; readonly high: number }): string {
  if (!hasInterval(interval)) return NOT_ENOUGH;
  return `${percentOf(interval.low)} to ${percent(interval.high)}`;
}

/** Formats a score from 0 to 1: `0.82`. A score below 1 never reads `1.00`. */
export function score(value: number): string {
  return value > 0.99 && value < 1 ? value.toFixed(3).replace('1.000', '0.999') : value.toFixed(2);
}

/**
 * Formats evidence: `0.18`, `41`, `1,200`, `over a million`. Evidence grows by multiplication, so its magnitude matters
 * and not its digits.
 */
export function evidence(value: number): string {
  if (value >= 1e6) return 'over a million';
  return value >= 0.005 ? digits(value) : 'almost 0';
}

/** Formats a duration in its natural unit: `420 ms`, `3.2 s`, `1.5 min`, `2.1 h`, `5 d`. */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  if (size < SECOND_MS) return `${size < 10 ? short(ms) : whole(ms)} ms`;
  if (size < MINUTE_MS) return `${short(ms / SECOND_MS)} s`;
  if (size < HOUR_MS) return `${short(ms / MINUTE_MS)} min`;
  if (size < DAY_MS) return `${short(ms / HOUR_MS)} h`;
  return `${short(ms / DAY_MS)} d`;
}

function short(value: number): string {
  const text = Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return text.replace(/\.0$/, '');
}

/** Formats the age of something, in full units that have passed: `59 s`, `3 min`, `40 h`, `12 d`. */
export function age(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** Formats a time relative to `nowMs`: `2 h ago`, `in 3 d`, `just now`. */
export function relative(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs;
  if (Math.abs(distance) < 5 * SECOND_MS) return 'just now';
  return distance < 0 ? `${age(-distance)} ago` : `in ${age(distance)}`;
}

/** Formats large amounts shortened: `950`, `83 k`, `1.2 M`. */
export function amount(value: number): string {
  if (value < 1_000) return whole(value);
  if (value < 999_500) return `${short(value / 1_000)} k`;
  return `${short(value / 1e6)} M`;
}

/** Formats US dollars with two significant digits below a dollar: `$0.0042`, `$3.10`. */
export function dollars(value: number): string {
  return `$${value >= 1 || value === 0 ? value.toFixed(2) : digits(value)}`;
}

/** Formats a day in the person's own time zone: `2025-10-03`. */
export function day(atMs: number): string {
  const date = new Date(atMs);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a day of a known year: `3 Oct`. */
export function shortDay(atMs: number): string {
  const date = new Date(atMs);
  return `${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

/** Formats a time in the person's own time zone: `2025-10-03 14:05`. */
export function moment(atMs: number): string {
  return `${day(atMs)} ${clock(atMs)}`;
}

/** Formats hours and minutes in the person's own time zone: `14:05`. */
export function clock(atMs: number): string {
  const date = new Date(atMs);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function two(part: number): string {
  return String(part).padStart(2, '0');
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: `1.8 MB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < BYTE_UNITS.length - 1; unit++) value /= 1_000;
  return `${value >= 10 || unit === 0 ? whole(value) : value.toFixed(1)} ${BYTE_UNITS[unit]}`;
}
