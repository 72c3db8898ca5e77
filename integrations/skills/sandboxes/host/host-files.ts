import { randomUUID } from 'node:crypto';
import { closeSync, type Dirent, lstatSync, read } from 'node:fs';
import { opendir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { openInside } from './open-inside.js';
import { Refusal } from './refusal.js';

export interface ListedFile {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

const MAX_NAMES = 10_000;
const CHUNK = 65_536;

/** @throws Refusal for a path outside of the folders. */
export async function readText(path: string, folders: readonly string[], maxBytes: number): Promise<string> {
  const { file } = openInside(path, folders, 'file');
  try {
    return (await readUpTo(file, maxBytes)).toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** Lists a folder, ordered by name. @throws Refusal for a path outside of the folders. */
export async function listFolder(path: string, folders: readonly string[]): Promise<readonly ListedFile[]> {
  const { file, base } = openInside(path, folders, 'folder');
  try {
    const found: ListedFile[] = [];
    for await (const entry of await opendir(`${base}/.`)) {
      if (found.length === MAX_NAMES) throw new Error(`${JSON.stringify(path)} has more than ${MAX_NAMES} files`);
      found.push({ name: entry.name, kind: kindOf(entry) });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    closeSync(file);
  }
}

/** Creates or replaces a file atomically. A link at its place is denied. @throws Refusal for a path outside. */
export async function writeText(path: string, text: string, folders: readonly string[]): Promise<void> {
  if (path.includes('\0')) throw new Refusal('the path contains a NUL character');
  const name = basename(path);
  if (name === '' || name === '.' || name === '..' || path.endsWith('/')) {
    throw new Refusal(`${JSON.stringify(path)} does not name a file`);
  }
  const { file, base } = openInside(dirname(path), folders, 'folder');
  const draft = `${base}/.${randomUUID()}.tmp`;
  try {
    const stat = lstatSync(`${base}/${name}`, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw new Refusal(`${JSON.stringify(path)} is not a regular file`);
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, `${base}/${name}`);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function kindOf(entry: Dirent): ListedFile['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

async function readUpTo(file: number, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { bytesRead, buffer } = await promisify(read)(file, { buffer: Buffer.alloc(CHUNK) });
    if (bytesRead === 0) return Buffer.concat(chunks);
    bytes += bytesRead;
    if (bytes > maxBytes) throw new Error(`the file exceeds ${maxBytes} bytes`);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}
