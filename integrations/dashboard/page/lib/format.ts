import type { Rate } from 'rsi-loop';

/** Space that does not break, between a number and its unit. */
const NB = '\u00a0';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Returns a whole number in full: `3,140`. */
export function count(value: number): string {
  return GROUPED.format(Math.round(value));
}

/** Returns `1 task` or `3,140 tasks`. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)}${NB}${Math.round(value) === 1 ? one : many}`;
}

/** Returns a number with two significant digits: `4.9`, `0.031`, `1,200`. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '-∞';
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(1).replace('e+', 'e');
  if (size >= 100) return count(value);
  if (size === 0) return '0';
  if (size < 1e-4) return value.toExponential(1);
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(size)));
  return value.toFixed(Math.min(decimals, 6));
}

/** Returns a share as a percentage with two significant digits. A share below 1 never reads `100 %`. */
export function percent(share: number): string {
  return `${percentNumber(share * 100)}${NB}%`;
}

function percentNumber(value: number): string {
  if (value >= 100 || value <= 0) return count(value);
  if (value > 99) {
    const decimals = Math.min(4, Math.ceil(-Math.log10(100 - value)) || 1);
    const text = value.toFixed(decimals);
    return text.startsWith('100') ? '99.99' : text;
  }
  if (value >= 10) return value.toFixed(0);
  return digits(value);
}

/** Returns `28 % of 3,140`, or `not enough data` without a denominator. */
export function rateOf({ value, of }: Pick<Rate, 'value' | 'of'>): string {
  return of > 0 ? `${percent(value)} of ${count(of)}` : NOT_ENOUGH;
}

export const NOT_ENOUGH = 'not enough data';

/** Returns the interval of a share: `24 to 33 %`. Without enough data it says so. */
export function percentRange({ low, high }: { readonly low: number; readonly high: number }): string {
  if (low <= 0 && high >= 1) return NOT_ENOUGH;
  return `${percentNumber(low * 100)} to ${percent(high)}`;
}

/** Returns a score from 0 to 1 with two decimals: `0.82`. */
export function score(value: number): string {
  return value > 0.99 && value < 1 ? value.toFixed(3).replace('1.000', '0.999') : value.toFixed(2);
}

/** Returns a duration in its natural unit: `420 ms`, `3.2 s`, `4 min`, `2.1 h`, `5 d`. */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return `${count(ms)}${NB}ms`;
  if (size < MINUTE_MS) return `${short(ms / 1_000)}${NB}s`;
  if (size < HOUR_MS) return `${short(ms / MINUTE_MS)}${NB}min`;
  if (size < DAY_MS) return `${short(ms / HOUR_MS)}${NB}h`;
  return `${short(ms / DAY_MS)}${NB}d`;
}

function short(value: number): string {
  const text = Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0);
  return text.replace(/\.0$/, '');
}

/** Returns the name of a bucket of time, after `per`: `hour`, `day`, `6 h`. */
export function bucketName(stepMs: number): string {
  if (stepMs === HOUR_MS) return 'hour';
  return stepMs === DAY_MS ? 'day' : duration(stepMs);
}

/** Returns large amounts shortened: `950`, `83 k`, `1.2 M`. */
export function amount(value: number): string {
  if (value < 1_000) return count(value);
  if (value < 999_500) return `${short(value / 1_000)}${NB}k`;
  return `${short(value / 1e6)}${NB}M`;
}

/** Returns US dollars with two significant digits below a dollar: `$0.0042`, `$3.10`. */
export function dollars(value: number): string {
  return `$${value >= 1 || value === 0 ? value.toFixed(2) : digits(value)}`;
}

/** Returns the time relative to `nowMs`: `2 h ago`, `in 3 d`, `just now`. */
export function relative(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs;
  if (Math.abs(distance) < 5_000) return 'just now';
  const text = whole(Math.abs(distance));
  return distance < 0 ? `${text} ago` : `in ${text}`;
}

function whole(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1_000)}${NB}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}${NB}min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)}${NB}h`;
  return `${Math.floor(ms / DAY_MS)}${NB}d`;
}

/** Returns the exact time in the zone of the reader, with its offset: `2026-11-22 19:54:12 +01:00`. */
export function exact(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return 'unknown time';
  return `${dayOf(at)} ${clock(at)}:${two(at.getSeconds())} ${offset(at)}`;
}

function dayOf(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns hours and minutes in the zone of the reader. */
export function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns day and month: `22 Nov`. */
export function shortDay(at: Date): string {
  return `${at.getDate()} ${MONTHS[at.getMonth()]}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}
