import type { JournalRecord } from '../records.js';
import { type FileSystem, ifPresent, readWhole, writeWhole } from './file-system.js';
import { FRAME_BYTES, parseLine, sealLine } from './line.js';
import { recordOf } from './record-of.js';
import { listSegments } from './segments.js';

/**
 * Overwrites matching records where they stand with lines of the same length that hold nothing, so that every other
 * record keeps its position and its place, and whoever reads or writes the same file at the moment is not disturbed.
 * Gives their number.
 */
export async function eraseRecords(
  fs: FileSystem,
  folder: string,
  matches: (record: JournalRecord) => boolean,
): Promise<number> {
  const { byWriter } = await listSegments(fs, folder);
  let count = 0;
  for (const { path } of [...byWriter.values()].flat()) count += await eraseIn(fs, path, matches);
  return count;
}

async function eraseIn(fs: FileSystem, path: string, matches: (record: JournalRecord) => boolean): Promise<number> {
  const bytes = await readWhole(fs, path);
  const found = bytes === undefined ? [] : [...matchingLines(bytes, matches)];
  if (found.length === 0) return 0;
  const file = await ifPresent(fs.open(path, 'r+'));
  if (file === undefined) return 0;
  try {
    for (const { offset, line } of found) await writeWhole(fs, file, line, offset);
    await fs.fsync(file);
  } finally {
    await fs.close(file);
  }
  return found.length;
}

function* matchingLines(
  bytes: Buffer,
  matches: (record: JournalRecord) => boolean,
): Generator<{ readonly offset: number; readonly line: Buffer }> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    const end = bytes.indexOf('\n', offset);
    if (end === -1) return;
    const parsed = parseLine(bytes.toString('utf8', offset, end));
    const record = parsed && recordOf(parsed.value);
    if (parsed !== undefined && typeof record === 'object' && matches(record)) {
      yield { offset, line: blankLine(Number(parsed.value.n), end - offset) };
    }
    offset = end + 1;
  }
}

/** A line of so many bytes that says only that a record was here. */
function blankLine(position: number, byteLength: number): Buffer {
  const rest = `"n":${position},"kind":"erased"`;
  return Buffer.from(sealLine(`${rest}${' '.repeat(byteLength - FRAME_BYTES - rest.length - 1)}}`));
}
