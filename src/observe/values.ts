import type { Severity } from '../contract/issue.js';
import type { Attempt } from '../contract/outcome.js';
import { wordSet } from '../lib/word-set.js';
import { MAX_NAME, readMember, sanitizeText } from './sanitize.js';

/** Readers of single values. Each returns the value in canonical form, or `undefined` if it cannot be read. */

const SUCCESS_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'true yes 1 ok okay success succeeded successful completed complete done pass passed finished resolved',
);
const FAILURE_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'false no 0 error errored fail failed failure exception timeout timed_out timedout cancelled canceled aborted ' +
    'rejected crashed incomplete',
);

/** Reads true/false, 1/0, `'true'`, `'ok'`, `'error'`. An HTTP status below 400 is a success. */
export function readSuccess(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (value === 0 || value === 1) return value === 1;
    return readHttpStatus(value) === undefined ? undefined : value < 400;
  }
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const word = value.trim().toLowerCase();
  if (SUCCESS_WORDS.has(word)) return true;
  if (FAILURE_WORDS.has(word)) return false;
  return /^[1-5][0-9]{2}$/.test(word) ? Number(word) < 400 : undefined;
}

/** Range of valid times. Anything outside is a mistake of the unit or the clock. */
const EARLIEST_MS = /* @__PURE__ */ Date.UTC(1990, 0);
const LATEST_MS = /* @__PURE__ */ Date.UTC(2100, 0);

/**
 * Reads ISO text, or epoch seconds, milli-, micro- or nanoseconds, distinguished by size. ISO text without a zone is
 * UTC.
 */
export function readTime(value: unknown): number | undefined {
  if (value instanceof Date) return inRange(value.getTime());
  if (typeof value === 'string' && value.length <= 64) {
    const text = value.trim();
    if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return readTime(Number(text));
    const zoned = /^\d{4}-\d{2}-\d{2}[T ][\d:.,]+$/.test(text) ? `${text.replace(' ', 'T').replace(',', '.')}Z` : text;
    return /^\d{4}-\d{2}-\d{2}|^[A-Z][a-z]{2}/.test(text) ? inRange(Date.parse(zoned)) : undefined;
  }
  if (typeof value !== 'number') return undefined;
  if (value < 1e11) return inRange(value * 1e3);
  if (value < 1e14) return inRange(value);
  return inRange(value < 1e17 ? value / 1e3 : value / 1e6);
}

function inRange(ms: number): number | undefined {
  return ms >= EARLIEST_MS && ms < LATEST_MS ? Math.floor(ms) : undefined;
}

/** Reads a finite number within the range, also from text. */
export function readNumber(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' && value.length <= 32 && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : undefined;
}

export function readHttpStatus(value: unknown): number | undefined {
  const status = readNumber(value, 100, 599);
  return Number.isInteger(status) ? status : undefined;
}

export interface StatusRead {
  readonly success: boolean;
  readonly httpStatus?: number;
}

/** Reads `ok`, `error` and other words for an end, or an HTTP status. */
export function readStatus(value: unknown): StatusRead | undefined {
  const success = readSuccess(value);
  const httpStatus = readHttpStatus(value);
  return success === undefined ? undefined : httpStatus === undefined ? { success } : { success, httpStatus };
}

/** Reads a short text: a name, an id, a path. Numbers are ids too. */
export function readName(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : sanitizeText(value, MAX_NAME);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

export function readNames(value: unknown, max: number): string[] | undefined {
  if (typeof value === 'string') return value === '' ? [] : [sanitizeText(value, MAX_NAME)];
  if (!Array.isArray(value)) return undefined;
  const names: string[] = [];
  for (let index = 0; index < Math.min(value.length, max); index++) {
    const name = readName(readMember(value, String(index)));
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  return names;
}

const SEVERITIES: { readonly [Name in Severity]: string } = {
  low: 'low minor info',
  medium: 'medium moderate warning',
  high: 'high major error',
  critical: 'critical fatal blocker',
};

export function readSeverity(value: unknown): Severity | undefined {
  if (typeof value !== 'string' || value.length > 20) return undefined;
  const word = value.trim().toLowerCase();
  const names = Object.keys(SEVERITIES) as Severity[]; // the table's keys are the severities
  return names.find((name) => SEVERITIES[name].split(' ').includes(word));
}

const MAX_TOKENS = 1e12;

export function readTokenCount(value: unknown): number | undefined {
  return readNumber(value, 0, MAX_TOKENS);
}

const MAX_ATTEMPTS = 32;
const MAX_IN_FLIGHT = 1e6;
const MAX_DURATION_MS = 366 * 86_400_000;

export function readDuration(value: unknown, unitMs: number): number | undefined {
  const duration = readNumber(value, 0, MAX_DURATION_MS / unitMs);
  return duration === undefined ? undefined : duration * unitMs;
}

export function readAttempts(value: unknown): Attempt[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const attempts: Attempt[] = [];
  for (const item of value.slice(0, MAX_ATTEMPTS) as unknown[]) {
    if (typeof item !== 'object' || item === null) return undefined;
    const success = readSuccess(readMember(item, 'success'));
    if (success === undefined) return undefined;
    const model = readName(readMember(item, 'model'));
    const issue = readName(readMember(item, 'issue'));
    const inFlight = readNumber(readMember(item, 'inFlight'), 1, MAX_IN_FLIGHT);
    attempts.push({
      delayMs: readDuration(readMember(item, 'delayMs'), 1) ?? 0,
      durationMs: readDuration(readMember(item, 'durationMs'), 1) ?? 0,
      success,
      ...(model !== undefined && { model }),
      ...(issue !== undefined && !success && { issue }),
      ...(inFlight !== undefined && !success && { inFlight }),
    });
  }
  return attempts;
}
