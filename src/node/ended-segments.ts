import { dirname } from 'node:path';
import { linesOf, otherFormatIn } from './block-lines.js';
import { errorCode, type FileSystem, ifPresent, readWhole } from './file-system.js';
import { type Segment, segmentOf } from './segments.js';

/** Segments above this size in bytes are left as they are. They are few, as every store has a limit for all together. */
const MAX_BYTES = 1_048_576;

/**
 * Puts the end of each segment into its name, if all its lines are intact. Call it only for the last segments of
 * processes that have ended. Without the ends, a process would open the files of all earlier ones at each read, which is
 * slow if each task has a process of its own.
 */
export async function nameEnds(fs: FileSystem, segments: readonly Segment[]): Promise<void> {
  for (const segment of segments) {
    const before = await ifPresent(fs.stat(segment.path));
    if (before === undefined || before.size > MAX_BYTES) continue;
    const bytes = await readWhole(fs, segment.path);
    const end = bytes && endIn(bytes, segment.from);
    if (end !== undefined) await rename(fs, segment, { end, size: before.size });
  }
}

async function rename(fs: FileSystem, segment: Segment, { end, size }: { end: number; size: number }): Promise<void> {
  const { path } = segmentOf(dirname(segment.path), { ...segment, end });
  try {
    await fs.rename(segment.path, path);
    // A process that only seemed to have ended may have written meanwhile. From now on, it writes to a new segment.
    const after = await ifPresent(fs.stat(path));
    if (after !== undefined && after.size !== size) await fs.rename(path, segment.path);
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Returns the position after the last line; undefined unless all lines are intact and in order. */
function endIn(bytes: Buffer, from: number): number | undefined {
  if (otherFormatIn(bytes) !== undefined) return undefined;
  let end = from;
  for (const { value } of linesOf(bytes)) {
    if (value === undefined || (value.kind !== 'journal' && value.n !== end)) return undefined;
    if (value.kind !== 'journal') end++;
  }
  return end;
}
