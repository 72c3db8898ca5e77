import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Fixed bytes of an entry before its object id: times, device, inode, mode, owner and size. */
const HEAD_BYTES = 40;
/** Bytes of an object id: SHA-1, then SHA-256. */
const ID_BYTES = [20, 32] as const;

/**
 * Returns whether git tracks the folder or a file in it. Reads the index instead of starting git: hooks have no time
 * for a process, and the settings of a repository can make git run programs.
 * @param folder a path without links.
 * @throws Error if the index cannot be parsed.
 */
export function isTracked(folder: string): boolean {
  const repository = repositoryOf(folder);
  if (repository === undefined) return false;
  const wanted = Buffer.from(relative(repository.root, folder).split(sep).join('/'));
  return indexesOf(repository.gitFolder).some((path) => holds(path, wanted));
}

function repositoryOf(folder: string): { readonly root: string; readonly gitFolder: string } | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const path = join(root, '.git');
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return { root, gitFolder: path };
    // Worktrees and submodules have a file that names the folder.
    if (found?.isFile()) {
      const [, named] = /^gitdir: ([^\r\n]+)/.exec(readFileSync(path, 'utf8')) ?? [];
      if (named !== undefined) return { root, gitFolder: resolve(root, named) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** Returns the index files. A split index keeps most entries in a shared file beside it. */
function indexesOf(gitFolder: string): readonly string[] {
  try {
    const names = readdirSync(gitFolder).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
    return names.map((name) => join(gitFolder, name));
  } catch {
    return [];
  }
}

function holds(path: string, wanted: Buffer): boolean {
  const bytes = readFileSync(path);
  for (const idBytes of ID_BYTES) {
    const found = search(bytes, idBytes, wanted);
    if (found !== undefined) return found;
  }
  throw new Error(`${path} has a format that is not known, so what git tracks is unknown`);
}

/** Searches an index for a path; returns `undefined` if the bytes are no index with object ids of that size. */
function search(bytes: Buffer, idBytes: number, wanted: Buffer): boolean | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const name = new NameReader(bytes, version === 4);
  let start = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const end = readName(name, bytes, { from: start + HEAD_BYTES + idBytes, hasMoreFlags: version >= 3 });
    if (end === undefined) return undefined;
    if (isInside(name.bytes, wanted)) return true;
    // One to eight zeros pad an entry to a multiple of eight; version 4 has one.
    start = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return false;
}

/** Reads the flags of an entry, then its name. Returns the end of the name; `undefined` if they do not fit. */
function readName(
  name: NameReader,
  bytes: Buffer,
  { from, hasMoreFlags }: { readonly from: number; readonly hasMoreFlags: boolean },
): number | undefined {
  if (from + 2 > bytes.length) return undefined;
  const flags = bytes.readUInt16BE(from);
  const end = name.read(from + (hasMoreFlags && (flags & 0x4000) !== 0 ? 4 : 2));
  const length = flags & 0xfff;
  return length < 0xfff && name.length !== length ? undefined : end;
}

/** Reads the names of consecutive entries. Version 4 writes only the difference from the previous name. */
class NameReader {
  readonly #bytes: Buffer;
  readonly #isCompressed: boolean;
  bytes: Buffer = Buffer.alloc(0);

  constructor(bytes: Buffer, isCompressed: boolean) {
    this.#bytes = bytes;
    this.#isCompressed = isCompressed;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Reads one name. Returns the offset of its end, or `undefined` if there is none. */
  read(from: number): number | undefined {
    let at = from;
    let kept = 0;
    if (this.#isCompressed) {
      let byte = this.#bytes[at++] ?? 0;
      let dropped = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = this.#bytes[at++] ?? 0;
        dropped = (dropped + 1) * 128 + (byte & 0x7f);
      }
      kept = this.bytes.length - dropped;
      if (kept < 0) return undefined;
    }
    const end = this.#bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const rest = this.#bytes.subarray(at, end);
    this.bytes = kept === 0 ? rest : Buffer.concat([this.bytes.subarray(0, kept), rest]);
    return end;
  }
}

/** Compares names case-insensitively, because some file systems are. */
function isInside(name: Buffer, wanted: Buffer): boolean {
  if (name.length < wanted.length) return false;
  for (let index = 0; index < wanted.length; index++) {
    if (lower(name[index]) !== lower(wanted[index])) return false;
  }
  return wanted.length === 0 || name.length === wanted.length || name[wanted.length] === 0x2f;
}

function lower(byte = 0): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
