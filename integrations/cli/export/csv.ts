import type { Outcome } from 'rsi-loop';
import { plain } from '../terminal/text.js';

type Column = readonly [name: string, value: (outcome: Outcome) => unknown];

/** One column per field, always all of them and in this order: rows of two exports can be put together. */
const COLUMNS: readonly Column[] = [
  ['id', ({ id }) => id],
  ['at', ({ atMs }) => isoTime(atMs)],
  ['task', ({ task }) => task],
  ['success', ({ success }) => success],
  ['issues', ({ issues }) => issues],
  ['source', ({ source }) => source],
  ['session', ({ session }) => session],
  ['agent', ({ agent }) => agent],
  ['parent', ({ parent }) => parent],
  ['model', ({ model }) => model],
  ['tool', ({ tool }) => tool],
  ['duration_ms', ({ durationMs }) => durationMs],
  ['input_tokens', ({ tokens }) => tokens?.input],
  ['output_tokens', ({ tokens }) => tokens?.output],
  ['cost_usd', ({ costUsd }) => costUsd],
  ['quality', ({ quality }) => quality],
  ['severity', ({ severity }) => severity],
  ['error', ({ error }) => error?.message],
  ['error_name', ({ error }) => error?.name],
  ['error_code', ({ error }) => error?.code],
  ['error_status', ({ error }) => error?.status],
  ['retry_after_ms', ({ error }) => error?.retryAfterMs],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['attempts', ({ attempts }) => attempts?.length],
  ['expected', ({ expected }) => expected],
  ['actual', ({ actual }) => actual],
  ['tags', ({ tags }) => tags],
  ['context', ({ context }) => context],
  ['managed', ({ managed }) => managed],
  ['weight', ({ weight }) => weight],
];

/** RFC 4180 ends every line so. */
const END = '\r\n';

export const CSV_HEAD = COLUMNS.map(([name]) => name).join(',') + END;

/** An outcome as a row. Texts stand on one line, without what could act on a terminal or be a formula in a spreadsheet. */
export function csvRow(outcome: Outcome): string {
  return COLUMNS.map(([, value]) => cell(value(outcome))).join(',') + END;
}

/**
 * What spreadsheets take for the beginning of a formula, also in the full width of East Asian fonts; see "CSV Injection",
 * OWASP. An apostrophe in front makes it text.
 */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = plain(textOf(value));
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('; ');
  return JSON.stringify(value);
}

/** Readable by spreadsheets and people alike. */
function isoTime(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
