import { dirname } from 'node:path';
import type { Random } from '../../src/lib/random.js';
import type { FileSystem } from '../../src/node/file-system.js';

/** Content behind a name. `synced` survives a power cut for certain; `writes` may or may not have reached the disk. */
interface Inode {
  bytes: Uint8Array;
  size: number;
  synced: Uint8Array;
  writes: { readonly position: number; readonly bytes: Uint8Array }[];
}

type NameChange = { readonly path: string; readonly inode: Inode | undefined };

/** Fails or ends the process at chosen calls. */
export type Fault = (call: number, name: string) => void;

/**
 * A disk in memory that knows what a power cut may do: of what was not fsynced, any part may be lost, in any order;
 * names that were created, moved or removed since their folder was fsynced may or may not have changed.
 */
export class SimulatedDisk implements FileSystem {
  readonly #names = new Map<string, Inode>();
  readonly #folders = new Set<string>(['/']);
  /** Names as a power cut would leave them for certain, and the changes since, in order. */
  #syncedNames = new Map<string, Inode>();
  #nameChanges: NameChange[] = [];
  readonly #handles = new Map<number, Inode>();
  #nextHandle = 3;
  #calls = 0;
  fault: Fault = () => {};
  /** Whether a write of so many bytes finds no space. */
  refuses: (bytes: number) => boolean = () => false;
  /** When every file was last written. */
  mtimeMs = 1_700_000_000_000;

  get calls(): number {
    return this.#calls;
  }

  get openHandles(): number {
    return this.#handles.size;
  }

  /** The disk as it may be found after the power went: a new one, this one goes on as if nothing had happened. */
  afterPowerCut(random: Random): SimulatedDisk {
    const disk = new SimulatedDisk();
    for (const folder of this.#folders) disk.#folders.add(folder);
    const names = new Map(this.#syncedNames);
    const changes = this.#nameChanges.filter(() => random() < 0.5);
    // Changes to one name keep their order; between names there is none.
    for (const { path, inode } of changes) {
      if (inode === undefined) names.delete(path);
      else names.set(path, inode);
    }
    const copies = new Map<Inode, Inode>();
    for (const [path, inode] of names) {
      const copy = copies.get(inode) ?? survivor(inode, random);
      copies.set(inode, copy);
      disk.#names.set(path, copy);
    }
    disk.#syncedNames = new Map(disk.#names);
    return disk;
  }

  /** The disk as the next process finds it when this one is killed: everything the system was given is there. */
  afterKill(): SimulatedDisk {
    this.#handles.clear();
    this.fault = () => {};
    return this;
  }

  paths(): string[] {
    return [...this.#names.keys()].sort();
  }

  content(path: string): Buffer {
    const inode = this.#inode(path);
    return Buffer.from(inode.bytes.subarray(0, inode.size));
  }

  /** Removes a folder with all that is in it, as `rm -rf` does; files that are open live on without a name. */
  removeFolder(path: string): void {
    const isIn = (name: string) => name === path || name.startsWith(`${path}/`);
    for (const name of this.paths()) if (isIn(name)) this.#setName(name, undefined);
    for (const folder of this.#folders) if (isIn(folder)) this.#folders.delete(folder);
  }

  /** Moves a folder away with all that is in it. */
  moveFolder(path: string, to: string): void {
    const moved = this.paths().filter((name) => name.startsWith(`${path}/`));
    const inodes = moved.map((name) => [`${to}${name.slice(path.length)}`, this.#inode(name)] as const);
    for (const folder of [...this.#folders]) {
      if (folder === path || folder.startsWith(`${path}/`)) this.#folders.add(`${to}${folder.slice(path.length)}`);
    }
    this.removeFolder(path);
    for (const [name, inode] of inodes) this.#setName(name, inode);
  }

  /** Replaces every file by a copy of itself, as an editor does that saves by renaming. */
  replaceFiles(path: string): void {
    for (const name of this.paths()) if (name.startsWith(`${path}/`)) this.overwrite(name, this.content(name));
  }

  /** Changes a file behind everybody's back. */
  overwrite(path: string, bytes: Uint8Array): void {
    const inode = { bytes: Uint8Array.from(bytes), size: bytes.byteLength, synced: Uint8Array.from(bytes), writes: [] };
    this.#names.set(path, inode);
    this.#syncedNames.set(path, inode);
  }

  async open(path: string, flags: 'r' | 'r+' | 'wx'): Promise<number> {
    return this.#open(path, flags);
  }

  async close(file: number): Promise<void> {
    this.closeSync(file);
  }

  async read(file: number, into: Uint8Array, position: number): Promise<number> {
    const inode = this.#handle('read', file);
    const part = inode.bytes.subarray(Math.min(position, inode.size), Math.min(inode.size, position + into.byteLength));
    into.set(part);
    return part.byteLength;
  }

  async write(file: number, bytes: Uint8Array, position: number): Promise<number> {
    return this.writeSync(file, bytes, position);
  }

  async fsync(file: number): Promise<void> {
    this.fsyncSync(file);
  }

  async link(existing: string, created: string): Promise<void> {
    this.#called('link');
    if (this.#names.has(created)) throw failure('EEXIST', created);
    const inode = this.#inode(existing);
    if (!this.#folders.has(dirname(created))) throw failure('ENOENT', created);
    this.#setName(created, inode);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#called('rename');
    const inode = this.#inode(from);
    this.#setName(to, inode);
    this.#setName(from, undefined);
  }

  async unlink(path: string): Promise<void> {
    this.#called('unlink');
    this.#inode(path);
    this.#setName(path, undefined);
  }

  async rmdir(path: string): Promise<void> {
    this.#called('rmdir');
    if (!this.#folders.has(path)) throw failure('ENOENT', path);
    if ((await this.#list(path)).length > 0) throw failure('ENOTEMPTY', path);
    this.#folders.delete(path);
  }

  async mkdir(path: string): Promise<void> {
    this.mkdirSync(path);
  }

  async readdir(path: string): Promise<string[]> {
    this.#called('readdir');
    if (!this.#folders.has(path)) throw failure('ENOENT', path);
    return this.#list(path);
  }

  async stat(path: string): Promise<{ size: number; mtimeMs: number }> {
    this.#called('stat');
    return { size: this.#inode(path).size, mtimeMs: this.mtimeMs };
  }

  async isAt(file: number, path: string): Promise<boolean> {
    return this.isAtSync(file, path);
  }

  async fsyncFolder(path: string): Promise<void> {
    this.#called('fsyncFolder');
    const isHere = (change: NameChange) => dirname(change.path) === path;
    for (const { path: name, inode } of this.#nameChanges.filter(isHere)) {
      if (inode === undefined) this.#syncedNames.delete(name);
      else this.#syncedNames.set(name, inode);
    }
    this.#nameChanges = this.#nameChanges.filter((change) => !isHere(change));
  }

  openSync(path: string, flags: 'wx'): number {
    return this.#open(path, flags);
  }

  writeSync(file: number, bytes: Uint8Array, position: number): number {
    const inode = this.#handle('write', file);
    if (this.refuses(bytes.byteLength)) throw failure('ENOSPC');
    const copy = Uint8Array.from(bytes);
    put(inode, copy, position);
    inode.writes.push({ position, bytes: copy });
    return bytes.byteLength;
  }

  fsyncSync(file: number): void {
    const inode = this.#handle('fsync', file);
    inode.synced = inode.bytes.slice(0, inode.size);
    inode.writes = [];
  }

  isAtSync(file: number, path: string): boolean {
    return this.#handle('isAt', file) === this.#names.get(path);
  }

  closeSync(file: number): void {
    // As on Linux, a close that reports an error has closed all the same.
    this.#handles.delete(file);
    this.#called('close');
  }

  mkdirSync(path: string): void {
    this.#called('mkdir');
    for (let folder = path; folder !== '/' && folder !== '.'; folder = dirname(folder)) this.#folders.add(folder);
  }

  #called(name: string): void {
    this.fault(this.#calls++, name);
  }

  #handle(name: string, file: number): Inode {
    this.#called(name);
    const inode = this.#handles.get(file);
    if (inode === undefined) throw failure('EBADF', String(file));
    return inode;
  }

  #open(path: string, flags: 'r' | 'r+' | 'wx'): number {
    this.#called('open');
    if (flags === 'wx') {
      if (this.#names.has(path)) throw failure('EEXIST', path);
      if (!this.#folders.has(dirname(path))) throw failure('ENOENT', path);
      this.#setName(path, { bytes: new Uint8Array(256), size: 0, synced: new Uint8Array(), writes: [] });
    }
    this.#handles.set(this.#nextHandle, this.#inode(path));
    return this.#nextHandle++;
  }

  #inode(path: string): Inode {
    const inode = this.#names.get(path);
    if (inode === undefined) throw failure('ENOENT', path);
    return inode;
  }

  #setName(path: string, inode: Inode | undefined): void {
    if (inode === undefined) this.#names.delete(path);
    else this.#names.set(path, inode);
    this.#nameChanges.push({ path, inode });
  }

  #list(path: string): string[] {
    const inside = [...this.#names.keys(), ...this.#folders].filter((name) => dirname(name) === path && name !== path);
    return [...new Set(inside)].map((name) => name.slice(path === '/' ? 1 : path.length + 1));
  }
}

/** An error as the system gives it. */
export function failure(code: string, path = ''): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

function put(inode: Inode, bytes: Uint8Array, position: number): void {
  const end = position + bytes.byteLength;
  if (end > inode.bytes.byteLength) {
    const larger = new Uint8Array(2 * end);
    larger.set(inode.bytes.subarray(0, inode.size));
    inode.bytes = larger;
  }
  inode.bytes.set(bytes, position);
  inode.size = Math.max(inode.size, end);
}

/** A file as it may be after a power cut: each write since the last fsync is there, not there, or there in part. */
function survivor(inode: Inode, random: Random): Inode {
  const left: Inode = {
    bytes: Uint8Array.from(inode.synced),
    size: inode.synced.byteLength,
    synced: inode.synced,
    writes: [],
  };
  for (const { position, bytes } of inode.writes) {
    const fate = random();
    if (fate < 0.3) continue;
    const count = fate < 0.6 ? Math.floor(random() * bytes.byteLength) : bytes.byteLength;
    if (count > 0) put(left, bytes.subarray(0, count), position);
  }
  left.synced = left.bytes.slice(0, left.size);
  return left;
}
