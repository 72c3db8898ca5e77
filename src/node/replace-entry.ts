import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { unmergedName } from './backups.js';
import { errorCode } from './file-system.js';
import { isSame, type PinnedDirectory } from './pinned-directory.js';

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

interface Replacement {
  readonly folder: PinnedDirectory;
  readonly copies: PinnedDirectory;
  readonly name: string;
  /** The current file as last read, and the backup name for it; absent if there is no file. */
  readonly old?: { readonly stat: BigIntStats; readonly copy: string };
  /** Name of the new file in the backups folder; absent for a deletion. */
  readonly fresh?: string;
}

/**
 * Replaces a file, unless it has changed: then it returns `false` and everything is as before.
 *
 * A rename over a file loses an edit that was saved there a microsecond before. So the current file is first moved
 * aside and checked. Then the new file is linked to the free name, which fails if another program took it meanwhile.
 * The name is free for some microseconds only, in synchronous code.
 */
export function replaceEntry({ folder, copies, name, old, fresh }: Replacement): boolean {
  folder.confirm();
  copies.confirm();
  const [place, source] = [folder.at(name), fresh && copies.at(fresh)];
  if (!old) {
    const isDone = source === undefined || putAt(source, place);
    if (source && isDone) unlinkIfThere(source);
    return isDone;
  }
  const taken = copies.at(`${old.copy}.taken`);
  try {
    renameSync(place, taken);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  let isDone = false;
  try {
    const isOld = isUnchanged(lstatSync(taken, { bigint: true }), old.stat);
    isDone = isOld && (source === undefined || putAt(source, place));
    if (isDone) renameSync(taken, copies.at(old.copy));
  } finally {
    if (!isDone) putBack(folder, copies, name, `${old.copy}.taken`);
  }
  if (source) unlinkIfThere(source);
  return isDone;
}

/**
 * Puts back a file that was moved away. If another program created a file of that name meanwhile, the new one stays.
 * The old one then becomes a backup to be merged. A program that appends a line at that moment creates a file with only
 * that line.
 */
export function putBack(folder: PinnedDirectory, copies: PinnedDirectory, name: string, taken: string): void {
  const from = copies.at(taken);
  if (!exists(from)) return;
  if (putAt(from, folder.at(name))) unlinkIfThere(from);
  else renameSync(from, copies.at(unmergedName(taken)));
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

function isUnchanged(now: BigIntStats, then: BigIntStats): boolean {
  return isSame(now, then) && now.size === then.size && now.mtimeNs === then.mtimeNs;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
