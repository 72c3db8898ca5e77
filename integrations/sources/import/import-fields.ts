import type { TokenUse } from 'rsi-loop';

/** Parsed JSON object of unknown content. Each reader here returns `undefined` for a value of another type. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowOf(value: unknown): Row {
  return isRow(value) ? value : NOTHING;
}

export function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** Returns a non-empty text. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns an id: a text, or the digits of a number. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : nonEmptyText(value);
}

/** Returns a finite number, also from its digits. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Valid range of times; others are errors of the unit or the clock. */
const EARLIEST_MS = Date.UTC(1990, 0);
const LATEST_MS = Date.UTC(2100, 0);

/** Reads ISO text (UTC if it names no zone), or epoch seconds, milli-, micro- or nanoseconds, distinguished by size. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^-?[\d.]+$/.test(value)) {
    const zoned = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(value) ? `${value.replace(' ', 'T')}Z` : value;
    return inRange(Date.parse(zoned));
  }
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (number < 1e11) return inRange(number * 1e3);
  if (number < 1e14) return inRange(number);
  return inRange(number < 1e17 ? number / 1e3 : number / 1e6);
}

function inRange(ms: number): number | undefined {
  return ms >= EARLIEST_MS && ms < LATEST_MS ? Math.floor(ms) : undefined;
}

/** Returns the milliseconds between two times if both are known and in order. */
export function between(startMs: number | undefined, endMs: number | undefined): number | undefined {
  return startMs !== undefined && endMs !== undefined && endMs >= startMs ? endMs - startMs : undefined;
}

/** Reads a duration in seconds; returns milliseconds. */
export function secondsOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : seconds * 1e3;
}

/** Parses JSON; returns `undefined` for a text that is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the project that an agent works in: the last folder of its path. */
export function projectOf(path: unknown): string | undefined {
  return nonEmptyText(path)
    ?.split(/[\\/]/)
    .findLast((part) => part !== '');
}

/** Builds the token counts of a call if any is known. `cached` is the part of `input` that was read from a cache. */
export function tokenUse(input: number | undefined, output: number | undefined, cached = 0): TokenUse | undefined {
  if (input === undefined && output === undefined) return undefined;
  const known = { input: input ?? 0, output: output ?? 0 };
  return cached > 0 ? { ...known, cachedInput: Math.min(cached, known.input) } : known;
}

/** Returns the text of a message: a string, or its text blocks joined by line breaks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return rowsOf(content)
    .map(({ text, content: inner }) => nonEmptyText(text) ?? nonEmptyText(inner) ?? '')
    .join('\n');
}

const NOTHING: Row = {};
