import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, sep } from 'node:path';

/**
 * Whether the sessions of an agent that works in `folder` read this file or this folder of skills: it applies to its
 * folder and everything inside. One in a hidden folder such as `.claude` applies to the folder around it, and one in the
 * home of the user everywhere.
 */
export function appliesTo(path: string, folder: string): boolean {
  const { root, isEverywhere } = reachOf(path);
  return isEverywhere || isInside(real(folder), root);
}

/** Whether some sessions read both. */
export function haveSharedSessions(path: string, other: string): boolean {
  const [one, two] = [reachOf(path), reachOf(other)];
  return one.isEverywhere || two.isEverywhere || isInside(one.root, two.root) || isInside(two.root, one.root);
}

/** Returns the folder whose sessions read the file or the skills. */
function reachOf(path: string): { readonly root: string; readonly isEverywhere: boolean } {
  const own = dirname(path);
  const isHidden = basename(own).startsWith('.');
  const root = isHidden ? dirname(own) : own;
  return { root, isEverywhere: isHidden && root === real(homedir()) };
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
