import { type BigIntStats, constants, promises } from 'node:fs';
import { errorCode } from './file-system.js';
import { hashOf } from './hash-of.js';
import type { PinnedDirectory } from './pinned-directory.js';

// Links are not followed if the system supports that. Opening a pipe never waits for its other end.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** Entry under a name in a folder. */
export type DirectoryEntry =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      /** SHA-256 of the bytes, in hexadecimal. */
      readonly hash: string;
      /** Taken before the file was read, so any later change to the file is detected. */
      readonly stat: BigIntStats;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'link' }
  /** A folder, a device or a pipe. */
  | { readonly kind: 'other' }
  | { readonly kind: 'too-large'; readonly bytes: number };

/**
 * Reads a whole file of at most `maxBytes`.
 * @throws the system's error if the entry cannot be inspected, opened or read.
 */
export async function readEntry(folder: PinnedDirectory, name: string, maxBytes: number): Promise<DirectoryEntry> {
  const path = folder.at(name);
  try {
    // Checked before opening: opening a device may already have side effects.
    const seen = await promises.lstat(path);
    if (seen.isSymbolicLink()) return { kind: 'link' };
    if (!seen.isFile()) return { kind: 'other' };
    const file = await promises.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = await file.stat({ bigint: true });
      if (!stat.isFile()) return { kind: 'other' };
      const bytes = await readUpTo(file, maxBytes + 1);
      if (bytes.byteLength > maxBytes) return { kind: 'too-large', bytes: Math.max(Number(stat.size), maxBytes + 1) };
      return { kind: 'file', bytes, hash: hashOf(bytes), stat };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { kind: 'absent' };
    if (code === 'ELOOP' || code === 'EMLINK') return { kind: 'link' };
    throw error;
  }
}

async function readUpTo(file: promises.FileHandle, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let length = 0; length < most; ) {
    const part = Buffer.allocUnsafe(Math.min(65_536, most - length));
    const { bytesRead } = await file.read(part, 0, part.byteLength, length);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(parts);
}
