import { closeSync, type Dirent, fstatSync, opendirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Fd, wasi } from '@bjorn3/browser_wasi_shim';
import type { SandboxCall } from '../../sandbox.js';
import { type OpenedInside, openInside } from '../host/open-inside.js';
import { Refusal } from '../host/refusal.js';

const NOTHING = new Uint8Array();
/** Bytes of one read. Between two pieces, the host can end the worker. */
const PIECE = 1 << 20;
const MAX_NAMES = 10_000;
const WRITING = wasi.OFLAGS_CREAT | wasi.OFLAGS_TRUNC | wasi.OFLAGS_EXCL;

/** Standard input: a text that is read once. */
export class InputStream extends Fd {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(text: string) {
    super();
    this.#bytes = new TextEncoder().encode(text);
  }

  override fd_fdstat_get() {
    return { ret: 0, fdstat: new wasi.Fdstat(wasi.FILETYPE_CHARACTER_DEVICE, 0) };
  }

  override fd_read(size: number) {
    const data = this.#bytes.slice(this.#at, this.#at + size);
    this.#at += data.length;
    return { ret: 0, data };
  }
}

/** Standard output or error. */
export class OutputStream extends Fd {
  readonly #write: (bytes: Uint8Array) => void;

  /** @param write throws to end the program. */
  constructor(write: (bytes: Uint8Array) => void) {
    super();
    this.#write = write;
  }

  override fd_fdstat_get() {
    return { ret: 0, fdstat: new wasi.Fdstat(wasi.FILETYPE_CHARACTER_DEVICE, 0) };
  }

  override fd_write(data: Uint8Array) {
    this.#write(data);
    return { ret: 0, nwritten: data.length };
  }
}

/** Records an access and checks its limits. */
export type RecordCall = (call: Pick<SandboxCall, 'function' | 'target' | 'result' | 'message'>) => void;

/** Files that a run has open. */
export class OpenFiles {
  readonly #files = new Set<number>();
  readonly record: RecordCall;
  /** Returns the size of the program's memory: no read can need more. */
  readonly mostBytes: () => number;

  constructor(record: RecordCall, mostBytes: () => number) {
    this.record = record;
    this.mostBytes = mostBytes;
  }

  add(file: number): void {
    this.#files.add(file);
  }

  close(file: number): void {
    if (this.#files.delete(file)) closeSync(file);
  }

  /** Closes what the program left open. */
  closeAll(): void {
    for (const file of this.#files) this.close(file);
  }
}

/** Allowed folder, or one inside of it. Read only. */
export class ReadableFolder extends Fd {
  readonly #root: string;
  readonly #path: string;
  readonly #files: OpenFiles;
  #names: readonly { readonly name: string; readonly type: number }[] | undefined;

  /** @param root allowed folder, by the name that the program knows. */
  constructor(root: string, path: string, files: OpenFiles) {
    super();
    this.#root = root;
    this.#path = path;
    this.#files = files;
  }

  override fd_prestat_get() {
    return this.#path === this.#root
      ? { ret: 0, prestat: wasi.Prestat.dir(this.#root) }
      : { ret: wasi.ERRNO_BADF, prestat: null };
  }

  override fd_fdstat_get() {
    return { ret: 0, fdstat: new wasi.Fdstat(wasi.FILETYPE_DIRECTORY, 0) };
  }

  override fd_filestat_get() {
    return this.path_filestat_get(0, '.');
  }

  override path_filestat_get(_flags: number, path: string) {
    const opened = this.#open('files.read', path);
    if (typeof opened === 'number') return { ret: opened, filestat: null };
    const { size, ino } = fstatSync(opened.file);
    this.#files.close(opened.file);
    const type = opened.isFolder ? wasi.FILETYPE_DIRECTORY : wasi.FILETYPE_REGULAR_FILE;
    return { ret: 0, filestat: new wasi.Filestat(BigInt(ino), type, BigInt(size)) };
  }

  override path_open(_dirflags: number, path: string, oflags: number) {
    if ((oflags & WRITING) !== 0) return { ret: wasi.ERRNO_ROFS, fd_obj: null };
    const opened = this.#open('files.read', path);
    if (typeof opened === 'number') return { ret: opened, fd_obj: null };
    if (!opened.isFolder) return { ret: 0, fd_obj: new ReadableFile(opened.file, this.#files) };
    this.#files.close(opened.file);
    return { ret: 0, fd_obj: new ReadableFolder(this.#root, join(this.#path, path), this.#files) };
  }

  override fd_readdir_single(cookie: bigint) {
    this.#names ??= this.#list();
    const next = this.#names[Number(cookie)];
    const dirent = next === undefined ? null : new wasi.Dirent(cookie + 1n, 0n, next.name, next.type);
    return { ret: 0, dirent };
  }

  #list(): readonly { readonly name: string; readonly type: number }[] {
    const opened = this.#open('files.list', '.');
    if (typeof opened === 'number') return [];
    try {
      return namesIn(`${opened.base}/.`);
    } finally {
      this.#files.close(opened.file);
    }
  }

  /** Returns the error number if it cannot be opened. */
  #open(what: 'files.read' | 'files.list', path: string): OpenedInside | number {
    const target = join(this.#path, path.includes('\0') ? '' : path);
    const record = (result: SandboxCall['result'], message?: string) =>
      this.#files.record({ function: what, target, result, ...(message !== undefined && { message }) });
    try {
      if (path.includes('\0')) throw new Refusal('the path contains a NUL character');
      const opened = openInside(target, [this.#root], 'any');
      this.#files.add(opened.file);
      record('ok');
      return opened;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      record(error instanceof Refusal ? 'refused' : 'failed', message);
      if (error instanceof Refusal) return wasi.ERRNO_NOTCAPABLE;
      return message.includes('ENOENT') ? wasi.ERRNO_NOENT : wasi.ERRNO_IO;
    }
  }
}

/** Returns the first names of a folder, ordered. */
function namesIn(folder: string): readonly { readonly name: string; readonly type: number }[] {
  const directory = opendirSync(folder);
  const found: { name: string; type: number }[] = [];
  try {
    let entry = directory.readSync();
    for (; entry !== null && found.length < MAX_NAMES; entry = directory.readSync())
      found.push({ name: entry.name, type: typeOf(entry) });
  } finally {
    directory.closeSync();
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeOf(entry: Dirent): number {
  if (entry.isFile()) return wasi.FILETYPE_REGULAR_FILE;
  return entry.isDirectory() ? wasi.FILETYPE_DIRECTORY : wasi.FILETYPE_UNKNOWN;
}

/** File in an allowed folder. If its worker is ended, Node closes it. */
class ReadableFile extends Fd {
  readonly #file: number;
  readonly #files: OpenFiles;
  #at = 0n;

  constructor(file: number, files: OpenFiles) {
    super();
    this.#file = file;
    this.#files = files;
  }

  override fd_close() {
    this.#files.close(this.#file);
    return 0;
  }

  override fd_fdstat_get() {
    return { ret: 0, fdstat: new wasi.Fdstat(wasi.FILETYPE_REGULAR_FILE, 0) };
  }

  override fd_filestat_get() {
    const { size, ino } = fstatSync(this.#file);
    return { ret: 0, filestat: new wasi.Filestat(BigInt(ino), wasi.FILETYPE_REGULAR_FILE, BigInt(size)) };
  }

  override fd_read(size: number) {
    const read = this.fd_pread(size, this.#at);
    this.#at += BigInt(read.data.length);
    return read;
  }

  override fd_pread(size: number, offset: bigint) {
    if (offset < 0n) return { ret: wasi.ERRNO_INVAL, data: NOTHING };
    const left = Math.max(0, fstatSync(this.#file).size - Number(offset));
    const wanted = Math.min(size, left, this.#files.mostBytes());
    const data = wanted === 0 ? NOTHING : new Uint8Array(wanted);
    let read = 0;
    while (read < wanted) {
      const count = readSync(this.#file, data, read, Math.min(PIECE, wanted - read), Number(offset) + read);
      if (count === 0) break;
      read += count;
    }
    return { ret: 0, data: data.subarray(0, read) };
  }

  override fd_seek(offset: bigint, whence: number) {
    const starts = new Map([
      [wasi.WHENCE_SET, 0n],
      [wasi.WHENCE_CUR, this.#at],
      [wasi.WHENCE_END, BigInt(fstatSync(this.#file).size)],
    ]);
    const start = starts.get(whence);
    if (start === undefined || start + offset < 0n) return { ret: wasi.ERRNO_INVAL, offset: 0n };
    this.#at = start + offset;
    return { ret: 0, offset: this.#at };
  }

  override fd_tell() {
    return { ret: 0, offset: this.#at };
  }
}
