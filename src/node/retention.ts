import { join } from 'node:path';
import { type FileSystem, ifPresent } from './file-system.js';
import { TEMPORARY } from './numbered-files.js';
import { listSegments, type Segment } from './segments.js';

export interface RetentionOptions {
  readonly retainMs: number;
  readonly retainBytes: number;
  readonly nowMs: number;
  readonly isWriting: (writer: string) => Promise<boolean>;
}

/**
 * Deletes closed segments beyond the age or total size limits, oldest first. The last segment of a living writer always
 * stays. Other processes may do the same at the same time. Returns the number of deleted segments.
 */
export async function retain(fs: FileSystem, folder: string, options: RetentionOptions): Promise<number> {
  const { byWriter } = await listSegments(fs, folder);
  const closed: { readonly segment: Segment; readonly size: number; readonly mtimeMs: number }[] = [];
  let bytes = 0;
  for (const [writer, segments] of byWriter) {
    const isWriting = segments.at(-1)?.end === undefined && (await options.isWriting(writer));
    for (const [index, segment] of segments.entries()) {
      const stat = await ifPresent(fs.stat(segment.path));
      if (stat === undefined) continue;
      bytes += stat.size;
      if (!isWriting || index < segments.length - 1) closed.push({ segment, ...stat });
    }
  }
  closed.sort((a, b) => a.mtimeMs - b.mtimeMs || a.segment.name.localeCompare(b.segment.name));
  let deleted = 0;
  for (const { segment, size, mtimeMs } of closed) {
    const isOld = options.nowMs - mtimeMs > options.retainMs;
    if (!isOld && bytes <= options.retainBytes) continue;
    await ifPresent(fs.unlink(segment.path));
    bytes -= size;
    deleted++;
  }
  return deleted;
}

/** Age of leftovers: half-written files of living processes are milliseconds old. */
const LEFT_BEHIND_MS = 3_600_000;

/** Removes half-written files of killed processes. */
export async function sweep(fs: FileSystem, folder: string, nowMs: number): Promise<void> {
  for (const inside of ['.', 'writers', 'leases', 'state', 'head', 'quarantine', 'ledger']) {
    const names = (await ifPresent(fs.readdir(join(folder, inside)))) ?? [];
    for (const name of names) {
      if (!name.startsWith(TEMPORARY)) continue;
      const path = join(folder, inside, name);
      const stat = await ifPresent(fs.stat(path));
      if (stat !== undefined && nowMs - stat.mtimeMs > LEFT_BEHIND_MS) await ifPresent(fs.unlink(path));
    }
  }
}
