import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { Refusal } from './refusal.js';

// Absent on Windows.
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;

/** Open file or folder that lies inside of an allowed folder. The caller closes it. */
export interface OpenedInside {
  readonly file: number;
  readonly isFolder: boolean;
  /** Names inside of an open folder start with it. On Linux it leads to the folder itself, wherever it was moved. */
  readonly base: string;
}

type Kind = 'file' | 'folder' | 'any';

/**
 * Opens a file or folder that really lies in an allowed folder: links are resolved first, and what was opened is checked
 * again. Relative paths start in the first allowed folder that has them.
 * @throws Refusal if it lies outside; the error of the system if it does not exist.
 */
export function openInside(path: string, folders: readonly string[], kind: Kind): OpenedInside {
  if (path.includes('\0')) throw new Refusal('the path contains a NUL character');
  const roots = folders.flatMap((folder) => (existsSync(folder) ? [realpathSync.native(folder)] : []));
  const allowed = [...folders.map((folder) => resolve(folder)), ...roots];
  const candidates = isAbsolute(path) ? [resolve(path)] : folders.map((folder) => resolve(folder, path));
  // Paths outside are denied without a look at the disk, so that they do not reveal whether a file exists.
  const inside = candidates.filter((candidate) => allowed.some((root) => contains(root, candidate)));
  const found = inside.find((candidate) => existsSync(candidate)) ?? inside[0];
  if (found === undefined) throw new Refusal(`${JSON.stringify(path)} is outside of the allowed folders`);
  const real = realpathSync.native(found);
  if (!roots.some((root) => contains(root, real))) {
    throw new Refusal(`${JSON.stringify(path)} leads outside of the allowed folders`);
  }
  return openReal(real, kind, JSON.stringify(path));
}

/** @param shown path for messages: a program may not learn where the folder really is. */
function openReal(real: string, kind: Kind, shown: string): OpenedInside {
  const isFolder = statSync(real).isDirectory();
  if (kind !== 'any' && isFolder !== (kind === 'folder'))
    throw new Error(`${shown} is ${isFolder ? 'a' : 'no'} folder`);
  // A pipe would wait for its other end without O_NONBLOCK.
  const file = openSync(real, O_RDONLY | O_NOFOLLOW | (isFolder ? O_DIRECTORY : O_NONBLOCK));
  try {
    const stat = fstatSync(file);
    if (!isFolder && !stat.isFile()) throw new Refusal(`${shown} is not a regular file`);
    const link = `/proc/self/fd/${file}`;
    const hasLinks = existsSync(link);
    const isSame = hasLinks ? readlinkSync(link) === real : realpathSync.native(real) === real;
    if (!isSame) throw new Refusal(`${shown} was replaced while it was opened`);
    return { file, isFolder, base: hasLinks ? link : real };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : join(folder, sep));
}
