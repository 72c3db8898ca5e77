import type { JournalRecord } from '../records.js';

/** The record of a line that was verified; `undefined` for lines that hold none. */
export function recordOf(value: Readonly<Record<string, unknown>>): JournalRecord | undefined {
  // The checksum held, so this is what the writer was given.
  if (value.kind === 'outcome') return { kind: 'outcome', outcome: value.outcome } as JournalRecord;
  if (value.kind === 'start') return { kind: 'start', start: value.start } as JournalRecord;
  return undefined;
}
