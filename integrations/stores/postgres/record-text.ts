import type { JournalRecord } from 'rsi-loop';
import { recordOf } from 'rsi-loop/node';

/** Escapes in JSON that jsonb rejects: U+0000, and halves of characters. Other escapes match too, to step over them. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/gi;
/** Rarely true for other records. Most have no escape with "u" at all, which is faster to find out. */
const MAY_BE_REJECTED = /\\u(?:0000|d[89a-f])/i;

/**
 * Returns a record as one line: a letter for its kind, and its JSON. If jsonb cannot hold it, the JSON is readable
 * without those characters, and the exact text follows after a tab.
 */
export function lineOf(record: JournalRecord): string {
  const text = JSON.stringify(record.kind === 'start' ? record.start : record.outcome);
  const letter = record.kind === 'start' ? 's' : 'o';
  return text.includes('\\u') && MAY_BE_REJECTED.test(text) ? `${letter}${forJsonb(text)}\t${text}` : letter + text;
}

/** Returns JSON with a replacement character for each one that jsonb rejects. */
export function forJsonb(text: string): string {
  return text.replace(ESCAPE, (found, hex: string | undefined) =>
    hex !== undefined && /^(?:0000|d[89a-f])/i.test(hex) ? '\\ufffd' : found,
  );
}

/** Returns a stored record; undefined for content that no version of this package writes. */
export function parseRecord(kind: string, text: string): JournalRecord | undefined {
  try {
    const record = recordOf({ kind, [kind]: JSON.parse(text) });
    return typeof record === 'object' ? record : undefined;
  } catch {
    return undefined;
  }
}
