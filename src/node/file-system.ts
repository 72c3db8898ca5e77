import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, makeFolderSync } from './make-folder.js';

/** What the file store asks of a file system. Hand in another one to inject faults or to keep the files elsewhere. */
export interface FileSystem {
  /** `wx` creates a file that only its owner may read, and fails with EEXIST when the name is taken. `r+` follows no link. */
  open(path: string, flags: 'r' | 'r+' | 'wx'): Promise<number>;
  close(file: number): Promise<void>;
  /** Gives the number of bytes read, 0 at the end. */
  read(file: number, into: Uint8Array, position: number): Promise<number>;
  /** Gives the number of bytes written, which may be fewer than asked. Once it has, `bytes` may come to hold something else. */
  write(file: number, bytes: Uint8Array, position: number): Promise<number>;
  fsync(file: number): Promise<void>;
  link(existing: string, created: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Creates missing parents too, for their owner only; an existing folder is no error and stays as it is. */
  mkdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  /** Whether the path still names the open file: false once it was deleted, moved or replaced. */
  isAt(file: number, path: string): Promise<boolean>;
  /** The path of a symbolic link in the folder or below, if there is one. A file system without links leaves it out. */
  findLink?(folder: string): Promise<string | undefined>;
  /** Makes names created, moved and removed in the folder survive a power cut. */
  fsyncFolder(path: string): Promise<void>;
  // For the last moments of a process, when nothing asynchronous runs any more.
  openSync(path: string, flags: 'wx'): number;
  writeSync(file: number, bytes: Uint8Array, position: number): number;
  fsyncSync(file: number): void;
  closeSync(file: number): void;
  isAtSync(file: number, path: string): boolean;
  mkdirSync(path: string): void;
}

/** File numbers exceed what a double holds exactly. */
const BIG = { bigint: true } as const;

const open = promisify(nodeFs.open);
const read = promisify(nodeFs.read);
const write = promisify(nodeFs.write);
const fstat = promisify(nodeFs.fstat);
const fchmod = promisify(nodeFs.fchmod);
/** Set once more after creation: a umask takes rights away, from the owner too. */
const OWNER_ONLY = 0o600;
/** Windows has no flag against links. */
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
    // Windows keeps names by itself and has no way to open a folder.
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

/** The code of a file system error, e.g. `ENOSPC`; `''` for anything else. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Gives `undefined` where the path does not exist (any more). */
export async function ifPresent<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The whole file, or `undefined` where there is none. */
export async function readWhole(fs: FileSystem, path: string): Promise<Buffer | undefined> {
  const file = await ifPresent(fs.open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const parts: Buffer[] = [];
    for (let position = 0; ; ) {
      const part = Buffer.allocUnsafe(READ_BYTES);
      const count = await fs.read(file, part, position);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
      position += count;
    }
  } finally {
    await fs.close(file);
  }
}

/** Large enough that the cost of a call does not count, small enough not to hold up the event loop when parsed. */
export const READ_BYTES = 262_144;

/** Writes all of `bytes`, however many calls the system wants for it. */
export async function writeWhole(fs: FileSystem, file: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const count = await fs.write(file, bytes.subarray(done), position + done);
    if (count <= 0) throw Object.assign(new Error('the system wrote nothing'), { code: 'EIO' });
    done += count;
  }
}
