import { linkSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { errorCode } from './file-system.js';
import { hashOf } from './hash-of.js';

/** Error codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
]);

/** Old file that is replaced: its hash as last read, and the paths for it while it is moved away and afterwards. */
export interface Replaced {
  readonly hash: string;
  readonly taken: string;
  readonly backup: string;
}

/**
 * Replaces a file by `fresh`, or removes it if that is `undefined`. If the file has changed, it returns `false` and
 * everything is as before.
 *
 * A rename over a file loses an edit that was saved there a microsecond before. So the current file is first moved
 * aside and checked. Then the new file is linked to the free name, which fails if another program took it meanwhile.
 * The name is free for some microseconds only, in synchronous code.
 */
export function replaceFile(place: string, old: Replaced | undefined, fresh: string | undefined): boolean {
  if (old === undefined) return fresh === undefined || putAt(fresh, place);
  try {
    renameSync(place, old.taken);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  let isDone = false;
  try {
    const isOld = lstatSync(old.taken).isFile() && hashOf(readFileSync(old.taken)) === old.hash;
    isDone = isOld && (fresh === undefined || putAt(fresh, place));
    if (isDone) renameSync(old.taken, old.backup);
  } finally {
    if (!isDone) putBack(old.taken, place);
  }
  return isDone;
}

/**
 * Puts back a file that was moved away. If another program created a file of that name meanwhile, the new one stays, and
 * the old one waits among the backups to be merged. A program that appends a line at that moment creates a file with only that line.
 */
export function putBack(taken: string, place: string): void {
  if (!exists(taken)) return;
  if (putAt(taken, place)) rmSync(taken, { force: true });
  else renameSync(taken, unmergedName(taken));
}

/**
 * Returns the path under which a moved-away file waits for a person to merge. Its hash is all zeros, so it never
 * matches.
 */
export function unmergedName(taken: string): string {
  return taken.replace(/[0-9a-f]{16}(\.[0-9a-f]{8})\.taken$/, `${'0'.repeat(16)}$1`);
}

/** Links a file to a second name if that is free. On a disk without hard links, renames it. */
function putAt(source: string, place: string): boolean {
  try {
    linkSync(source, place);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(errorCode(error))) throw error;
  }
  // No hard links on this disk: a file saved between these two calls is lost.
  if (exists(place)) return false;
  renameSync(source, place);
  return true;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
