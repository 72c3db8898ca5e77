import { type Dirent, lstatSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isTracked } from './git-index.js';

/** No part of a store lies deeper. */
const MAX_DEPTH = 6;

/**
 * Makes sure that a folder holds data of this user, not data that came with a repository: rules in it are handed to agents,
 * and files in it are written, moved and removed.
 * @throws Error where the folder or anything in it is a link, or where git tracks something in it.
 */
export function mustBeOwnData(folder: string): void {
  refuseForeign(folder);
  refuseLinksIn(folder, 0);
}

/** As `mustBeOwnData`, for a hook: looks at the given folders only, because an agent waits. */
export function mustBeOwnFolders(folder: string, inside: readonly string[]): void {
  refuseForeign(folder);
  for (const path of inside) if (isLink(path)) throw linkError(path);
}

/** Keeps git from ever tracking the data of a folder. A file that is there already is left as it is. */
export function hideFromGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function refuseForeign(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw linkError(folder);
  if (found.isDirectory() && isTracked(join(realpathSync(dirname(folder)), basename(folder))))
    throw new Error(
      `git tracks ${folder}, so its data may be another person's: run "git rm -r --cached" on it and delete what is not yours, or name another folder with --store`,
    );
}

function refuseLinksIn(folder: string, depth: number): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) throw linkError(path);
    if (entry.isDirectory() && depth < MAX_DEPTH) refuseLinksIn(path, depth + 1);
  }
}

/** What cannot be read is the business of those who read it. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function linkError(path: string): Error {
  return new Error(`${path} is a link: nothing is read or written through it; remove it, or name the folder itself`);
}
