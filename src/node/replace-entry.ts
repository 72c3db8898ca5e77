import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { unmergedName } from './backups.js';
import { errorCode } from './file-system.js';
import { isSame, type PinnedDirectory } from './pinned-directory.js';

/** Codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
]);

export interface Replacement {
  readonly folder: PinnedDirectory;
  readonly copies: PinnedDirectory;
  readonly name: string;
  /** What stands there as far as is known, and the name it is kept under; absent when nothing does. */
  readonly old?: { readonly stat: BigIntStats; readonly copy: string };
  /** What comes in its place, among the copies; absent when nothing does. */
  readonly fresh?: string;
}

/**
 * Puts one file in the place of another, unless somebody changed it: `false`, and everything is as it was.
 *
 * A rename over a file loses whatever somebody saved there a microsecond before. So nothing is ever renamed over: what
 * stands there, whoever put it there, is moved aside, looked at, and the new file is linked to the free name, which fails
 * if somebody took it meanwhile. The name is free for some microseconds, in one go, without anything awaited.
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
 * Puts back what was taken. Where somebody made a file of that name meanwhile, theirs stays, and what was taken becomes a
 * copy to be merged: whoever appends a line in that moment makes a file that holds nothing but the line.
 */
export function putBack(folder: PinnedDirectory, copies: PinnedDirectory, name: string, taken: string): void {
  const from = copies.at(taken);
  if (!exists(from)) return;
  if (putAt(from, folder.at(name))) unlinkIfThere(from);
  else renameSync(from, copies.at(unmergedName(taken)));
}

/** Gives a file a second name if that is free; where there are no links, its only one. */
function putAt(source: string, place: string): boolean {
  try {
    linkSync(source, place);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(errorCode(error))) throw error;
  }
  // No links on this disk: what somebody saves between these two calls is lost.
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
