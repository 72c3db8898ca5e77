import * as words from '../../../reports/words/numbers.js';

export {
  clock,
  DAY_MS,
  digits,
  dollars,
  NOT_ENOUGH,
  score,
  shortDay,
  whole as count,
} from '../../../reports/words/numbers.js';

const HOUR_MS = words.DAY_MS / 24;

/** Keeps a number and its unit on one line, with a space that does not break. */
function together<Given extends readonly unknown[]>(write: (...given: Given) => string): (...given: Given) => string {
  return (...given) => write(...given).replaceAll(' ', '\u00a0');
}

/** Returns `1 task` or `3,140 tasks`. */
export const countOf = together(words.counted);
/** Returns a share as a percentage with two significant digits: `28 %`. */
export const percent = together(words.percent);
/** Returns a duration in its natural unit: `420 ms`, `3.2 s`, `4 min`, `2.1 h`, `5 d`. */
export const duration = together(words.duration);
/** Returns large amounts shortened: `950`, `83 k`, `1.2 M`. */
export const amount = together(words.amount);

/** Returns `28 % of 3,140`, or `not enough data` without a denominator. */
export function rateOf(rate: Parameters<typeof words.rateOf>[0]): string {
  return tight(words.rateOf(rate));
}

/** Returns the interval of a share: `24 to 33 %`. Without enough data it says so. */
export function percentRange(interval: Parameters<typeof words.percentRange>[0]): string {
  return tight(words.percentRange(interval));
}

/** Returns the time relative to `nowMs`: `2 h ago`, `in 3 d`, `just now`. */
export function relative(atMs: number, nowMs: number): string {
  return tight(words.relative(atMs, nowMs));
}

/** Keeps each number of a sentence and its unit on one line. */
export function tight(sentence: string): string {
  return sentence.replace(/(?<=\d) (?=(?:%|ms|s|min|h|d|k|M)(?![\w]))/g, '\u00a0');
}

/** Returns the name of a bucket of time, after `per`: `hour`, `day`, `6 h`. */
export function bucketName(stepMs: number): string {
  if (stepMs === HOUR_MS) return 'hour';
  return stepMs === words.DAY_MS ? 'day' : duration(stepMs);
}

/** Returns the exact time in the zone of the reader, with its offset: `2026-11-22 19:54:12 +01:00`. */
export function exact(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return 'unknown time';
  return `${words.moment(atMs)}:${words.two(at.getSeconds())} ${offset(at)}`;
}

function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${words.two(Math.floor(size / 60))}:${words.two(size % 60)}`;
}
