import { type BigIntStats, constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { ifPresent } from './file-system.js';
import { hashOf } from './hash-of.js';
import { refused } from './workspace-paths.js';

// Links are not followed if the system supports that. Opening a pipe never waits for its other end.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** File of a workspace, as read. */
export interface FoundFile {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly stat: BigIntStats;
}

/**
 * Reads a whole file; `undefined` if there is none. `path` names it in errors.
 * @throws LoopError `workspace-refused` for a link, anything else but a file, and more than `maxBytes`; the system's
 * error if the file cannot be inspected, opened or read.
 */
export async function readEntry(place: string, path: string, maxBytes: number): Promise<FoundFile | undefined> {
  const seen = await ifPresent(lstat(place));
  if (seen === undefined) return undefined;
  if (seen.isSymbolicLink()) throw refused(path, 'is a link: workspaces follow none, list the file it leads to');
  if (!seen.isFile()) throw refused(path, 'is not an ordinary file');
  const file = await ifPresent(open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat({ bigint: true });
    // Checked before reading too: a file of holes can be larger than memory.
    const bytes = stat.size > maxBytes ? undefined : await file.readFile();
    if (bytes !== undefined && bytes.byteLength <= maxBytes) return { bytes, hash: hashOf(bytes), stat };
    const size = bytes?.byteLength ?? stat.size;
    throw refused(path, `has ${size} bytes of at most ${maxBytes}: shorten it, or raise maxBytes`);
  } finally {
    await file.close();
  }
}

/**
 * Returns whether a folder exists.
 * @throws LoopError `workspace-refused` if it is a link or no folder.
 */
export async function isFolder(path: string): Promise<boolean> {
  const seen = await ifPresent(lstat(path));
  if (seen?.isSymbolicLink())
    throw refused(path, 'is a link, and links are not followed: remove it, or name the folder itself');
  if (seen !== undefined && !seen.isDirectory()) throw refused(path, 'is not a folder');
  return seen !== undefined;
}
