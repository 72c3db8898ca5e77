import { type Dirent, lstatSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDatabase, shownStore } from './database.js';
import { isTracked } from './git-index.js';

/** Maximum depth of the parts of a store. */
const MAX_DEPTH = 6;

/**
 * Checks that a folder's data belongs to this user and did not come with a repository. Rules in it are given to agents,
 * and files in it are written, moved and removed.
 * @throws Error if the folder or anything in it is a link, or git tracks something in it.
 */
export function mustBeOwnData(folder: string): void {
  refuseForeign(folder);
  refuseLinksIn(folder, 0);
}

/** Checks like `mustBeOwnData`, for a hook: reads only the given folders, because an agent waits. */
export function mustBeOwnFolders(folder: string, inside: readonly string[]): void {
  refuseForeign(folder);
  for (const path of inside) if (isLink(path)) throw linkError(path);
}

/** Makes git ignore the folder's data. An existing ignore file is left as it is. */
export function hideFromGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function refuseForeign(folder: string): void {
  if (isDatabase(folder)) throw new Error(`${shownStore(folder)} is a database: name a folder with --store`);
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

/** Returns the entries of a folder; none if it is unreadable, because its later readers report that. */
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
