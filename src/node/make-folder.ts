import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it that are missing, for their owner only; an existing one is no error and stays as it is. Not by `recursive`: where a
 * folder takes no entries and says so as if it were not there, as `/proc` does, Node tries that for ever.
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
  // The parent is there now, made here or by another process since the first try; that one may have made this folder, too.
  await createFolder(path).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

/** As `makeFolder`, for the last moments of a process. */
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

/** Only its owner may enter. Set once more after creation: a umask takes rights away, from the owner too. */
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
