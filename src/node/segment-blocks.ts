import { FIRST_BYTES, type FileSystem, READ_BYTES } from './file-system.js';
import { openSegment, type Segment } from './segments.js';

/** Whole lines of a segment, as read in one go. */
export interface Block {
  readonly bytes: Buffer;
  readonly offset: number;
  /** Whether this is the end of the file, without a line break. */
  readonly isCut: boolean;
}

const NEWLINE = 10;

/** Yields the lines of a segment from an offset on, in blocks. The caller may overwrite the bytes of a block. */
export async function* readBlocks(fs: FileSystem, segment: Segment, from: number): AsyncGenerator<Block> {
  const file = await openSegment(fs, segment, 'r');
  // Retention deleted it after the listing.
  if (file === undefined) return;
  try {
    let offset = from;
    let bytes = Buffer.allocUnsafe(FIRST_BYTES);
    let filled = 0;
    for (;;) {
      const count = await fs.read(file, bytes.subarray(filled), offset + filled);
      if (count === 0) break;
      filled += count;
      const end = bytes.lastIndexOf(NEWLINE, filled - 1) + 1;
      if (end > 0) {
        yield { bytes: bytes.subarray(0, end), offset, isCut: false };
        bytes.copyWithin(0, end, filled);
        filled -= end;
        offset += end;
      }
      // The file or the line is longer than the buffer: continue reading into a larger one.
      if (bytes.byteLength < READ_BYTES) bytes = Buffer.concat([bytes.subarray(0, filled)], READ_BYTES);
      else if (filled === bytes.byteLength) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.byteLength)]);
    }
    if (filled > 0) yield { bytes: bytes.subarray(0, filled), offset, isCut: true };
  } finally {
    await fs.close(file);
  }
}
