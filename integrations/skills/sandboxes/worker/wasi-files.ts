import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Fd, wasi } from '@bjorn3/browser_wasi_shim';
import type { SandboxCall } from 'rsi-loop';
import { type OpenedInside, openInside } from '../host/open-inside.js';
import { Refusal } from '../host/refusal.js';

const NOTHING = new Uint8Array();
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

/** Allowed folder, or one inside of it. Read only. */
export class ReadableFolder extends Fd {
  readonly #root: string;
  readonly #path: string;
  readonly #record: RecordCall;
  #names: readonly { readonly name: string; readonly type: number }[] | undefined;

  /** @param root allowed folder, by the name that the program knows. */
  constructor(root: string, path: string, record: RecordCall) {
    super();
    this.#root = root;
    this.#path = path;
    this.#record = record;
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
    closeSync(opened.file);
    const type = opened.isFolder ? wasi.FILETYPE_DIRECTORY : wasi.FILETYPE_REGULAR_FILE;
    return { ret: 0, filestat: new wasi.Filestat(BigInt(ino), type, BigInt(size)) };
  }

  override path_open(_dirflags: number, path: string, oflags: number) {
    if ((oflags & WRITING) !== 0) return { ret: wasi.ERRNO_ROFS, fd_obj: null };
    const opened = this.#open('files.read', path);
    if (typeof opened === 'number') return { ret: opened, fd_obj: null };
    if (!opened.isFolder) return { ret: 0, fd_obj: new ReadableFile(opened.file) };
    closeSync(opened.file);
    return { ret: 0, fd_obj: new ReadableFolder(this.#root, join(this.#path, path), this.#record) };
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
      return readdirSync(`${opened.base}/.`, { withFileTypes: true })
        .map((entry) => {
          const other = entry.isDirectory() ? wasi.FILETYPE_DIRECTORY : wasi.FILETYPE_UNKNOWN;
          return { name: entry.name, type: entry.isFile() ? wasi.FILETYPE_REGULAR_FILE : other };
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      closeSync(opened.file);
    }
  }

  /** Returns the error number if it cannot be opened. */
  #open(what: 'files.read' | 'files.list', path: string): OpenedInside | number {
    const target = join(this.#path, path.includes('\0') ? '' : path);
    const record = (result: SandboxCall['result'], message?: string) =>
      this.#record({ function: what, target, result, ...(message !== undefined && { message }) });
    try {
      if (path.includes('\0')) throw new Refusal('the path contains a NUL character');
      const opened = openInside(target, [this.#root], 'any');
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

/** File in an allowed folder. Node closes it when its worker ends. */
class ReadableFile extends Fd {
  readonly #file: number;
  #at = 0n;

  constructor(file: number) {
    super();
    this.#file = file;
  }

  override fd_close() {
    closeSync(this.#file);
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
    const left = Math.max(0, fstatSync(this.#file).size - Number(offset));
    const data = new Uint8Array(Math.min(size, left));
    const count = data.length === 0 ? 0 : readSync(this.#file, data, 0, data.length, Number(offset));
    return { ret: 0, data: count === 0 ? NOTHING : data.subarray(0, count) };
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
