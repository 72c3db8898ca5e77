import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { LoopError } from 'rsi-loop';

/**
 * Reads a text file; undefined if it does not exist.
 * @throws LoopError `invalid-input` if it is no text in UTF-8: rewriting it would change its other bytes.
 */
export function readText(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw new LoopError('invalid-input', `${path} is not a file: move it away first`);
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return text;
  throw new LoopError('invalid-input', `${path} is not text in UTF-8, so it is left alone: change it yourself`);
}

/**
 * Checks that a file lies in the project, also when links are followed: a project that came from elsewhere must not
 * lead to other files of the user.
 * @throws LoopError `invalid-input` if it does not.
 */
export function mustBeInside(project: string, path: string): void {
  const real = realPath(path);
  if (real.startsWith(join(realpathSync(project), sep))) return;
  throw new LoopError('invalid-input', `${path} leads out of the project, to ${real}: rsi init does not change it`);
}

/** Returns the path without links, as far as it exists. */
function realPath(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })) {
    return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
  }
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
}

/** @throws LoopError `invalid-input` if the user made the file read-only; replacing it would still be possible. */
export function mustBeWritable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o222) !== 0) return;
  throw new LoopError('invalid-input', `${path} is read-only: run "chmod u+w" on it if rsi may change it`);
}

/**
 * Writes a file so that it is never half written, and keeps its mode. Follows a link. Synchronous, so that Ctrl-C
 * cannot come in between.
 */
export function writeWhole(path: string, text: string, mode = 0o644): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const target = isLink ? realpathSync(path) : path;
  const temporary = join(dirname(target), `.rsi-${randomBytes(6).toString('hex')}`);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, (statSync(target, { throwIfNoEntry: false })?.mode ?? mode) & 0o7777);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
