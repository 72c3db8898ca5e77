import type { JournalRecord } from '../contract/journal-record.js';
import { FORMAT, parseLine } from './line.js';
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
  /** The first line of a segment that a newer version of this package wrote. */
  | { readonly kind: 'newer'; readonly format: number };

/** Reads a line of a file in `journal/`, without its line break. For a whole folder use `FileStore`. */
export function readJournalLine(line: string): JournalLine {
  const parsed = parseLine(line);
  if (parsed === undefined) return { kind: 'damaged' };
  const { format } = parsed.value;
  if (typeof format === 'number' && format > FORMAT) return { kind: 'newer', format };
  const record = recordOf(parsed.value);
  if (record === 'empty') return { kind: 'empty' };
  return record === 'wrong' ? { kind: 'wrong' } : { kind: 'record', record };
}
