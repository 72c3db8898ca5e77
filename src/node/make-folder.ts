import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, for their owner only. An existing folder is not an error and stays as it
 * is.
 * Does not use `recursive`: on folders that report ENOENT for every new entry, such as `/proc`, Node retries forever.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await createFolder(path);
    return;
  } catch (error) {
    if (await isFolder(path)) return;
    if (!lacksParent(error)) throw error;
  }
  if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path));
  // The parent exists now. Another process may have created it since the first try, and this folder too.
  await createFolder(path).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

/** Does the same as `makeFolder`, for the last moments of a process. */
export function makeFolderSync(path: string): void {
  try {
    createFolderSync(path);
    return;
  } catch (error) {
    if (isFolderSync(path)) return;
    if (!lacksParent(error)) throw error;
  }
  if (!isFolderSync(dirname(path))) makeFolderSync(dirname(path));
  try {
    createFolderSync(path);
  } catch (error) {
    if (!isFolderSync(path)) throw error;
  }
}

/** Only the owner may enter. Applied again after creation: a umask removes rights, even the owner's. */
const OWNER_ONLY = 0o700;

async function createFolder(path: string): Promise<void> {
  await mkdir(path, OWNER_ONLY);
  await chmod(path, OWNER_ONLY);
}

function createFolderSync(path: string): void {
  mkdirSync(path, OWNER_ONLY);
  chmodSync(path, OWNER_ONLY);
}

function lacksParent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isFolderSync(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
