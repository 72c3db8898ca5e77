import { link, lstat, open, rename, unlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { redact } from 'rsi-loop';

/** Returns the code of a file system error, e.g. `ENOSPC`; `''` for anything else. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Returns the result of `work`, or `undefined` if the path does not exist. */
export async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Flushes names created and moved in the folder, so that they survive a power cut, if the system supports it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems do not support this and make names durable on their own.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await folder.close();
  }
}

/** Writes a file and replaces any of that name, including a link, which is not followed. */
export async function writeAnew(path: string, text: string): Promise<void> {
  await ifThere(unlink(path));
  await writeFile(path, text, { flag: 'wx', mode: 0o600 });
}

/** Maximum length of a file name in bytes, on all common file systems. */
const MAX_NAME_BYTES = 255;
/** Bytes reserved for a number and `.reason.txt`. */
const ROOM_BYTES = 24;

/**
 * Moves an entry into a folder under its name, or a numbered one if that is taken, and returns that name. Never
 * overwrites. `before` runs after the new name is taken and before the old one is removed. After a crash in between,
 * the next attempt repeats it with the same name.
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
        // For folders, and on file systems without links, a name created between the check and the rename is
        // overwritten.
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
    // A process linked it here before and died before it could unlink.
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

/** Cuts text to `maxBytes`, never inside a character. */
function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes
    ? text
    : bytes
        .subarray(0, maxBytes)
        .toString('utf8')
        .replace(/(?<!\ufffd)\ufffd+$/, '');
}

/** Returns a name for a file whose own name is not valid text. */
export function nameFor(path: Buffer): string {
  const name = path.subarray(path.lastIndexOf(0x2f) + 1);
  return `name-${name.toString('hex').slice(0, 160)}${extname(name.toString('latin1')).replace(/[^.\w]/g, '')}`;
}

/** Returns the text that explains why a file was rejected. */
export function reasonText(name: string, reasons: readonly string[], records: number, atMs: number): string {
  const some = records === 1 ? '1 record of it was' : `${records} records of it were`;
  const taken = records === 0 ? 'none of it was recorded' : `${some} recorded: send only the others again`;
  const head = `${JSON.stringify(name)} was rejected at ${new Date(atMs).toISOString()}; ${taken}`;
  return redact(`${head}\n${reasons.map((reason) => `- ${reason}`).join('\n')}\n`);
}
