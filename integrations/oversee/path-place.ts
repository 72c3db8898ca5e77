import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns whether a path, as a tool would open it, is inside of a folder. Links are followed, also those in the part of
 * the path that exists. A path that cannot be read counts as outside.
 */
export function isInFolder(folder: string, path: string): boolean {
  try {
    const named = path.startsWith('file:') ? fileURLToPath(path) : path.replace(/^~(?=$|[\\/])/, homedir());
    // A user, a variable, an escape, or a drive of another system: unknown.
    if (named.includes('\0') || /^~|[$%]/.test(named)) return false;
    if (process.platform !== 'win32' && /^[a-z]:/i.test(named)) return false;
    // Some tools take a back slash for a slash.
    return [named, named.replaceAll('\\', '/')].every((each) => contains(real(folder), real(resolve(folder, each))));
  } catch {
    return false;
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way));
}

/** Returns the path without links. Parts that do not exist stay as they are. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return join(real(parent), basename(path));
  }
}
