import type { JournalRecord } from '../contract/journal-record.js';
import { isOutcome, isStart } from './check-record.js';

/** Returns the record of an intact line; `empty` if it holds none, `wrong` for content that no version writes. */
export function recordOf(value: Readonly<Record<string, unknown>>): JournalRecord | 'empty' | 'wrong' {
  const { kind, outcome, start } = value;
  // Checked field by field; their types follow from that, which the compiler cannot see.
  if (kind === 'outcome') return isOutcome(outcome) ? ({ kind, outcome } as JournalRecord) : 'wrong';
  if (kind === 'start') return isStart(start) ? ({ kind, start } as JournalRecord) : 'wrong';
  return kind === 'erased' || kind === 'journal' ? 'empty' : 'wrong';
}
