import { crc32 } from 'node:zlib';
import { type FileSystem, writeWhole } from './file-system.js';
import type { FileKind } from './format.js';
import { FRAME_BYTES, MARK, putChecksum, sealedHead } from './line.js';

/** Writes a file as `sealFile` would, from text in slices, so that a large snapshot never exists in one piece. */
export async function writeSealed(
  fs: FileSystem,
  file: number,
  kind: FileKind,
  rest: AsyncIterable<string>,
): Promise<void> {
  let position = FRAME_BYTES;
  let checksum = 0;
  const write = async (text: string) => {
    const bytes = Buffer.from(text);
    checksum = crc32(bytes, checksum);
    await writeWhole(fs, file, bytes, position);
    position += bytes.byteLength;
  };
  await write(sealedHead(kind));
  for await (const text of rest) await write(text);
  await writeWhole(fs, file, Buffer.from('\n'), position);
  // Known last and written last: a half-written file fails its checksum.
  const frame = Buffer.from(`${MARK}00000000",`);
  putChecksum(frame, MARK.length, checksum);
  await writeWhole(fs, file, frame, 0);
}
