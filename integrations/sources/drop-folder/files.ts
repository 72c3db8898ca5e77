import { link, lstat, open, rename, unlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The code of a file system error, e.g. `ENOSPC`; `''` for anything else. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Gives `undefined` where the path does not exist (any more). */
export async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes names created and moved in the folder survive a power cut, where the system has a way to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems cannot, and keep names by themselves.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await folder.close();
  }
}

/** Writes a file in place of anything of that name, a link included, which is not followed. */
export async function writeAnew(path: string, text: string): Promise<void> {
  await ifThere(unlink(path));
  await writeFile(path, text, { flag: 'wx', mode: 0o600 });
}

/** Longest name of a file in bytes, on every usual file system. */
const MAX_NAME_BYTES = 255;
/** Room for a number and `.reason.txt`. */
const ROOM_BYTES = 24;

/**
 * Moves something into a folder under its name, or a numbered one where that is taken; never over something else. `before`
 * runs once the name is won and before the original place is given up, so that whoever dies on the way does it again and
 * comes to the same name. Gives the name.
 */
export async function moveInto(
  from: string,
  folder: string,
  name: string,
  before: (path: string) => Promise<void> = async () => {},
): Promise<string> {
  for (let number = 1; ; number++) {
    const taken = numbered(name, number);
    const to = join(folder, taken);
    switch (await linked(from, to)) {
      case 'linked':
        await before(to);
        await ifThere(unlink(from));
        return taken;
      case 'taken':
        break;
      case 'impossible':
        // Folders, and file systems without links: whoever comes between the look and the move is moved over.
        if ((await ifThere(lstat(to))) !== undefined) break;
        await before(to);
        await rename(from, to);
        return taken;
    }
  }
}

async function linked(from: string, to: string): Promise<'linked' | 'taken' | 'impossible'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    if (codeOf(error) !== 'EEXIST') return 'impossible';
    const [mine, theirs] = await Promise.all([lstat(from), ifThere(lstat(to))]);
    // It was linked here before, by a process that died before it could unlink.
    return theirs !== undefined && mine.ino === theirs.ino && mine.dev === theirs.dev && mine.nlink > 1
      ? 'linked'
      : 'taken';
  }
}

function numbered(name: string, number: number): string {
  const ending = extname(name);
  const tail = number === 1 ? ending : `~${number}${ending}`;
  const stem = name.slice(0, name.length - ending.length);
  return cutBytes(stem, MAX_NAME_BYTES - ROOM_BYTES - Buffer.byteLength(tail)) + tail;
}

/** Never cuts inside a character. */
function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes
    ? text
    : bytes
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/(?<!\ufffd)\ufffd+$/, '');
}
