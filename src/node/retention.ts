import { type FileSystem, ifPresent } from './file-system.js';
import { listSegments, type Segment } from './segments.js';

export interface RetentionOptions {
  readonly retainMs: number;
  readonly retainBytes: number;
  readonly nowMs: number;
  /** Whether age may be trusted: false just after the machine's clock has jumped. */
  readonly trustsClock: boolean;
  readonly isWriting: (writer: string) => Promise<boolean>;
}

/**
 * Deletes closed segments that are too old or too many, oldest first. The last segment of a living writer always stays.
 * Other processes may do the same at the same time.
 */
export async function retain(fs: FileSystem, folder: string, options: RetentionOptions): Promise<void> {
  const { byWriter } = await listSegments(fs, folder);
  const closed: { readonly segment: Segment; readonly size: number; readonly mtimeMs: number }[] = [];
  let bytes = 0;
  for (const [writer, segments] of byWriter) {
    const isWriting = await options.isWriting(writer);
    for (const [index, segment] of segments.entries()) {
      const stat = await ifPresent(fs.stat(segment.path));
      if (stat === undefined) continue;
      bytes += stat.size;
      if (!isWriting || index < segments.length - 1) closed.push({ segment, ...stat });
    }
  }
  closed.sort((a, b) => a.mtimeMs - b.mtimeMs || a.segment.name.localeCompare(b.segment.name));
  for (const { segment, size, mtimeMs } of closed) {
    const isOld = options.trustsClock && options.nowMs - mtimeMs > options.retainMs;
    if (!isOld && bytes <= options.retainBytes) continue;
    await ifPresent(fs.unlink(segment.path));
    bytes -= size;
  }
}
