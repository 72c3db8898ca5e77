import type { Outcome } from 'rsi-loop';
import { OUTCOME_FIELDS } from 'rsi-loop/kit';
import { plain } from '../terminal/terminal-text.js';

type Column = readonly [name: string, value: (outcome: Outcome) => unknown];

/** Columns of fields that are records themselves. */
const PARTS: { readonly [Name in 'tokens' | 'error' | 'attempts']: readonly Column[] } = {
  tokens: [
    ['input_tokens', ({ tokens }) => tokens?.input],
    ['output_tokens', ({ tokens }) => tokens?.output],
    ['cached_input_tokens', ({ tokens }) => tokens?.cachedInput],
  ],
  error: [
    ['error', ({ error }) => error?.message],
    ['error_name', ({ error }) => error?.name],
    ['error_code', ({ error }) => error?.code],
    ['error_status', ({ error }) => error?.status],
    ['retry_after_ms', ({ error }) => error?.retryAfterMs],
  ],
  attempts: [['attempts', ({ attempts }) => attempts?.length]],
};

/** Columns, in the order of the fields. All are always present, so that rows of two exports can be combined. */
const COLUMNS: readonly Column[] = /* @__PURE__ */ Object.keys(OUTCOME_FIELDS).flatMap((name) => columnsOf(name));

function columnsOf(name: string): readonly Column[] {
  if (name === 'tokens' || name === 'error' || name === 'attempts') return PARTS[name];
  if (name === 'atMs') return [['at', ({ atMs }) => isoTime(atMs)]];
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [[column, (outcome) => outcome[name as keyof Outcome]]]; // the table's keys are the fields
}

/** RFC 4180 ends every line this way. */
const END = '\r\n';

export const CSV_HEAD = COLUMNS.map(([name]) => name).join(',') + END;

/** Formats an outcome as a row. Texts take one line, without terminal control characters or spreadsheet formulas. */
export function csvRow(outcome: Outcome): string {
  return COLUMNS.map(([, value]) => cell(value(outcome))).join(',') + END;
}

/**
 * Characters that spreadsheets read as the start of a formula, including their full-width East Asian forms. See "CSV
 * Injection", OWASP. A leading apostrophe makes the cell text.
 */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = plain(cellText(value));
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('; ');
  return JSON.stringify(value);
}

/** Formats a time so that spreadsheets and people can read it. */
function isoTime(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
