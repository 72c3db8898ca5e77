import type { JournalRecord } from '../contract/journal-record.js';
import { otherFormatIn } from './block-lines.js';
import { type FileSystem, writeWhole } from './file-system.js';
import { FRAME_BYTES, parseLine, sealLine } from './line.js';
import { recordOf } from './record-of.js';
import { listSegments, openSegment, readSegment, type Segment } from './segments.js';
import type { StoreFolder } from './store-folder.js';

/** One record, with its segment and its offset there. */
export interface FoundRecord {
  readonly segment: Segment;
  readonly offset: number;
  readonly byteLength: number;
  readonly position: number;
  readonly record: JournalRecord;
}

/** Yields every record of a store's journal. Leaves out segments of another format; reading the journal reports them. */
export async function* recordsIn(store: StoreFolder): AsyncGenerator<FoundRecord> {
  const { fs } = store;
  const { byWriter } = await listSegments(fs, store.inside('journal'));
  for (const segment of [...byWriter.values()].flat()) {
    const bytes = await readSegment(fs, segment);
    if (bytes === undefined || otherFormatIn(bytes) !== undefined) continue;
    for (let offset = 0; offset < bytes.byteLength; ) {
      const end = bytes.indexOf(10, offset);
      if (end === -1) break;
      const parsed = parseLine(bytes.toString('utf8', offset, end));
      const record = parsed && recordOf(parsed.value);
      if (parsed !== undefined && typeof record === 'object') {
        yield { segment, offset, byteLength: end - offset, position: Number(parsed.value.n), record };
      }
      offset = end + 1;
    }
  }
}

/**
 * Overwrites records in place with empty lines of the same length. Every other record keeps its position and offset,
 * and processes that read or write the same file are not disturbed.
 */
export async function eraseRecords(fs: FileSystem, found: readonly FoundRecord[]): Promise<void> {
  for (const segment of new Set(found.map((one) => one.segment))) {
    const file = await openSegment(fs, segment, 'r+');
    if (file === undefined) continue;
    try {
      for (const { offset, byteLength, position } of found.filter((one) => one.segment === segment)) {
        await writeWhole(fs, file, blankLine(position, byteLength), offset);
      }
      await fs.fsync(file);
    } finally {
      await fs.close(file);
    }
  }
}

/** Returns a line of this length that says only that a record was here. */
function blankLine(position: number, byteLength: number): Buffer {
  const rest = `"n":${position},"kind":"erased"`;
  return Buffer.from(sealLine(`${rest}${' '.repeat(byteLength - FRAME_BYTES - rest.length - 1)}}`));
}
