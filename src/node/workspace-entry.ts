import { type BigIntStats, constants, promises } from 'node:fs';
import { errorCode } from './file-system.js';
import { hashOf } from './hash-of.js';
import type { PinnedDirectory } from './pinned-directory.js';
import { refused } from './workspace-paths.js';

// Links are not followed if the system supports that. Opening a pipe never waits for its other end.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
const LINK = 'is a link: workspaces follow none, list the file it leads to';

/** File of a workspace, as read. */
export interface FoundFile {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Taken before the file was read, so any later change to the file is detected. */
  readonly stat: BigIntStats;
}

/**
 * Reads a whole file; `undefined` if there is none. `path` names it in errors.
 * @throws LoopError `workspace-refused` for a link, anything else but a file, and more than `maxBytes`; the system's
 * error if the file cannot be inspected, opened or read.
 */
export async function readEntry(
  folder: PinnedDirectory,
  name: string,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): Promise<FoundFile | undefined> {
  try {
    // Checked before opening: opening a device may already have side effects.
    const seen = await promises.lstat(folder.at(name));
    if (seen.isSymbolicLink()) throw refused(path, LINK);
    if (!seen.isFile()) throw refused(path, 'is not an ordinary file');
    const file = await promises.open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = await file.stat({ bigint: true });
      if (!stat.isFile()) throw refused(path, 'is not an ordinary file');
      const bytes = await readUpTo(file, maxBytes + 1);
      if (bytes.byteLength <= maxBytes) return { bytes, hash: hashOf(bytes), stat };
      const size = Math.max(Number(stat.size), bytes.byteLength);
      throw refused(path, `has ${size} bytes of at most ${maxBytes}: shorten it, or raise maxBytes`);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw refused(path, LINK, error);
    throw error;
  }
}

async function readUpTo(file: promises.FileHandle, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let length = 0; length < most; length += parts.at(-1)?.byteLength ?? 0) {
    const part = Buffer.allocUnsafe(Math.min(65_536, most - length));
    const { bytesRead } = await file.read(part, 0, part.byteLength, length);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
  }
  return Buffer.concat(parts);
}
