import type { JournalRecord } from '../records.js';
import { sealLine } from './line.js';

/** The line of a record, with its break. Throws what `JSON.stringify` throws. */
export function recordLine(record: JournalRecord, position: number): string {
  return `${sealLine(`"n":${position},${JSON.stringify(record).slice(1)}`)}\n`;
}

/** The record of a line that was verified; `undefined` for lines that hold none. */
export function recordOf(value: Readonly<Record<string, unknown>>): JournalRecord | undefined {
  // The checksum held, so this is what `recordLine` was given.
  if (value.kind === 'outcome') return { kind: 'outcome', outcome: value.outcome } as JournalRecord;
  if (value.kind === 'start') return { kind: 'start', start: value.start } as JournalRecord;
  return undefined;
}
