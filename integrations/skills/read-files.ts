import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { errorCode } from 'rsi-loop/node';

const KB = 1_024;
/** Largest sizes of files that this program reads itself, in bytes. */
const LARGEST: Readonly<Record<string, number>> = {
  'SKILL.md': 256 * KB,
  'tests.json': 4_096 * KB,
  'certificate.json': 256 * KB,
  'scripts/main.js': 1_024 * KB,
  'scripts/main.ts': 1_024 * KB,
};
const MAX_FILE_BYTES = 32_768 * KB;
const MAX_SKILL_BYTES = 65_536 * KB;
const MAX_FILES = 2_000;
const MAX_DEPTH = 12;
/** Folders and files of other tools, which are no part of a skill. */
const LEFT_OUT: ReadonlySet<string> = /* @__PURE__ */ new Set(['.git', 'node_modules', '__pycache__', '.DS_Store']);
/** A pipe must not block. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads all files of a skill: at most 2,000, and 64 MiB. Files in UTF-8 are texts, others bytes. Follows no link.
 * Synchronous: small files are read several times faster this way, and a folder has many.
 * @throws LoopError `invalid-input` naming the file.
 */
export function readSkillFiles(folder: string, name: string): ReadonlyMap<string, string | Uint8Array> {
  const say = (problem: string) => new LoopError('invalid-input', `skill ${name}: ${problem}`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) throw say('there is none');
  if (!found.isDirectory()) throw say('is a link or a file, not a folder');
  const files = new Map<string, string | Uint8Array>();
  let total = 0;
  for (const path of pathsIn(folder, say)) {
    const bytes = readOne(join(folder, path), { path, maxBytes: LARGEST[path] ?? MAX_FILE_BYTES, say });
    total += bytes.byteLength;
    if (total > MAX_SKILL_BYTES) throw say(`has more than ${MAX_SKILL_BYTES} bytes`);
    files.set(path, textOrBytes(bytes));
  }
  return files;
}

/** Returns a text that differs after each change of a file; `undefined` if there is no `SKILL.md`. */
export function stampOfFiles(folder: string): string | undefined {
  const main = lstatSync(join(folder, 'SKILL.md'), { throwIfNoEntry: false });
  if (!main) return undefined;
  try {
    const say = (problem: string) => new LoopError('invalid-input', problem);
    const all = pathsIn(folder, say).map((path) => {
      const one = lstatSync(join(folder, path), { throwIfNoEntry: false });
      return one ? `${path}.${one.ino}.${one.size}.${one.mtimeMs}.${one.ctimeMs}` : path;
    });
    return all.join(' ');
  } catch (error) {
    // Reading it says the same.
    if (LoopError.is(error)) return `${error.message} ${main.ino}.${main.mtimeMs}`;
    throw error;
  }
}

type Say = (problem: string) => LoopError;

function readOne(
  place: string,
  { path, maxBytes, say }: { readonly path: string; readonly maxBytes: number; readonly say: Say },
): Buffer {
  const file = openOne(place, path, say);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw say(`${path} is not a regular file`);
    if (stat.size > maxBytes) throw say(`${path} has ${stat.size} bytes, more than ${maxBytes}`);
    const bytes = readFileSync(file);
    if (bytes.byteLength > maxBytes) throw say(`${path} grew to more than ${maxBytes} bytes while it was read`);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function openOne(place: string, path: string, say: Say): number {
  try {
    return openSync(place, READ);
  } catch (error) {
    throw say(errorCode(error) === 'ELOOP' ? `${path} is a link` : `${path} cannot be read (${errorCode(error)})`);
  }
}

/** Returns a file in UTF-8 as text, with its byte order mark, so that it is written as it was read. */
function textOrBytes(bytes: Buffer): string | Uint8Array {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new Uint8Array(bytes);
  }
}

/** Returns the paths of all files, sorted. */
function pathsIn(folder: string, say: Say): readonly string[] {
  const found: string[] = [];
  let level = [''];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw say(`${level[0]} is nested more than ${MAX_DEPTH} folders deep`);
    const entries = level.flatMap((path) => entriesOf(folder, path));
    const link = entries.find((entry) => entry.kind === 'link');
    if (link) throw say(`${link.path} is a link`);
    found.push(...entries.flatMap(({ kind, path }) => (kind === 'folder' ? [] : [path])));
    if (found.length > MAX_FILES) throw say(`has more than ${MAX_FILES} files`);
    level = entries.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : []));
  }
  return found.sort();
}

interface FoundEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
}

function entriesOf(folder: string, path: string): readonly FoundEntry[] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true }).filter(({ name }) => !LEFT_OUT.has(name));
  return entries.map((entry) => ({
    path: path === '' ? entry.name : `${path}/${entry.name}`,
    kind: entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file',
  }));
}
