import type { JournalRecord } from '../contract/journal-record.js';
import { FORMAT, whyOtherFormat } from './format.js';
import { parseLine } from './line.js';
import { recordOf } from './record-of.js';

/** Content of one line of a journal segment. */
export type JournalLine =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  /** The first line of a segment, or the place of an erased record. */
  | { readonly kind: 'empty' }
  /** The line fails its checksum, or is still being written. */
  | { readonly kind: 'damaged' }
  /** The checksum holds, but no version of this package writes such content. */
  | { readonly kind: 'wrong' }
  /** The first line of a segment of another format, which this version cannot read. */
  | {
      readonly kind: 'other-format';
      /** Reason, with the kind of file, its format and what to do. */
      readonly why: string;
    };

/** Reads a line of a file in `journal/`, without its line break. For a whole folder use `FileStore`. */
export function readJournalLine(line: string): JournalLine {
  const parsed = parseLine(line);
  if (parsed === undefined) return { kind: 'damaged' };
  const { kind, format } = parsed.value;
  if (kind === 'journal' && format !== FORMAT) {
    return { kind: 'other-format', why: whyOtherFormat('journal', format) };
  }
  const record = recordOf(parsed.value);
  if (record === 'empty') return { kind: 'empty' };
  return record === 'wrong' ? { kind: 'wrong' } : { kind: 'record', record };
}
