import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, makeFolderSync } from './make-folder.js';

/**
 * Operations the file store needs from a file system. Pass another one to inject faults or to store files elsewhere.
 */
export interface FileSystem {
  /**
   * `wx` creates a file that only its owner may read, and fails with EEXIST if the name is taken. `r+` follows no link.
   */
  open(path: string, flags: 'r' | 'r+' | 'wx'): Promise<number>;
  close(file: number): Promise<void>;
  /** Returns the number of bytes read, 0 at the end. */
  read(file: number, into: Uint8Array, position: number): Promise<number>;
  /** Returns the number of bytes written, which may be fewer than asked. After that, the caller may reuse `bytes`. */
  write(file: number, bytes: Uint8Array, position: number): Promise<number>;
  fsync(file: number): Promise<void>;
  link(existing: string, created: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Creates missing parents too, for their owner only. An existing folder is not an error and stays as it is. */
  mkdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  /** Returns whether the path still names the open file: false after the file was deleted, moved or replaced. */
  isAt(file: number, path: string): Promise<boolean>;
  /** Returns the path of a symbolic link in the folder or below, if any. File systems without links omit this. */
  findLink?(folder: string): Promise<string | undefined>;
  /** Makes names created, moved and removed in the folder survive a power cut. */
  fsyncFolder(path: string): Promise<void>;
  // For the last moments of a process, when asynchronous code no longer runs.
  openSync(path: string, flags: 'wx'): number;
  writeSync(file: number, bytes: Uint8Array, position: number): number;
  fsyncSync(file: number): void;
  closeSync(file: number): void;
  isAtSync(file: number, path: string): boolean;
  mkdirSync(path: string): void;
}

/** Inode numbers can exceed what a double holds exactly. */
const BIG = { bigint: true } as const;

const open = promisify(nodeFs.open);
const read = promisify(nodeFs.read);
const write = promisify(nodeFs.write);
const fstat = promisify(nodeFs.fstat);
const fchmod = promisify(nodeFs.fchmod);
/** Applied again after creation: a umask removes rights, even the owner's. */
const OWNER_ONLY = 0o600;
/** Windows has no flag against following links. */
const UPDATE = nodeFs.constants.O_RDWR | (nodeFs.constants.O_NOFOLLOW ?? 0);

/** The file system of the machine. */
export const machineFileSystem: FileSystem = {
  open: async (path, flags) => {
    const file = await open(path, flags === 'r+' ? UPDATE : flags, OWNER_ONLY);
    if (flags === 'wx') await fchmod(file, OWNER_ONLY);
    return file;
  },
  close: promisify(nodeFs.close),
  read: async (file, into, position) => (await read(file, into, 0, into.byteLength, position)).bytesRead,
  write: async (file, bytes, position) => (await write(file, bytes, 0, bytes.byteLength, position)).bytesWritten,
  fsync: promisify(nodeFs.fsync),
  link: promisify(nodeFs.link),
  rename: promisify(nodeFs.rename),
  unlink: promisify(nodeFs.unlink),
  rmdir: (path) => nodeFs.promises.rmdir(path),
  mkdir: makeFolder,
  readdir: (path) => nodeFs.promises.readdir(path),
  stat: (path) => nodeFs.promises.stat(path),
  isAt: async (file, path) => {
    const found = await ifPresent(nodeFs.promises.lstat(path, BIG));
    return found !== undefined && isSameFile(found, await fstat(file, BIG));
  },
  findLink: async (folder) => {
    const entries = await ifPresent(nodeFs.promises.readdir(folder, { recursive: true, withFileTypes: true }));
    const link = entries?.find((entry) => entry.isSymbolicLink());
    return link && join(link.parentPath ?? link.path, link.name);
  },
  fsyncFolder: async (path) => {
    // Windows persists names on its own and cannot open a folder.
    if (process.platform === 'win32') return;
    const folder = await nodeFs.promises.open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  openSync: (path, flags) => {
    const file = nodeFs.openSync(path, flags, OWNER_ONLY);
    nodeFs.fchmodSync(file, OWNER_ONLY);
    return file;
  },
  writeSync: (file, bytes, position) => nodeFs.writeSync(file, bytes, 0, bytes.byteLength, position),
  fsyncSync: nodeFs.fsyncSync,
  closeSync: nodeFs.closeSync,
  isAtSync: (file, path) => {
    const found = nodeFs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && isSameFile(found, nodeFs.fstatSync(file, BIG));
  },
  mkdirSync: makeFolderSync,
};

function isSameFile(one: nodeFs.BigIntStats, other: nodeFs.BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Returns the code of a file system error, e.g. `ENOSPC`; `''` for anything else. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Returns `undefined` if the path does not exist, or was just removed. */
export async function ifPresent<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a whole file. Returns `undefined` if it does not exist. */
export async function readWhole(fs: FileSystem, path: string): Promise<Buffer | undefined> {
  const file = await ifPresent(fs.open(path, 'r'));
  return file === undefined ? undefined : readOpen(fs, file);
}

/** Reads a whole open file, and closes it. */
export async function readOpen(fs: FileSystem, file: number): Promise<Buffer> {
  try {
    const parts: Buffer[] = [];
    for (let position = 0; ; ) {
      const part = Buffer.allocUnsafe(position === 0 ? FIRST_BYTES : READ_BYTES);
      const count = await fs.read(file, part, position);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      position += count;
    }
  } finally {
    await fs.close(file);
  }
}

/** Large enough that the cost of a call is negligible, small enough that parsing does not block the event loop. */
export const READ_BYTES = 262_144;
/** For the first read of a file: most files of a store are small, and a large buffer for each one burdens the garbage collector. */
export const FIRST_BYTES = 16_384;

/** Writes all of `bytes`, in as many calls as the system needs. */
export async function writeWhole(fs: FileSystem, file: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const count = await fs.write(file, bytes.subarray(done), position + done);
    if (count <= 0) throw Object.assign(new Error('the system wrote nothing'), { code: 'EIO' });
    done += count;
  }
}
