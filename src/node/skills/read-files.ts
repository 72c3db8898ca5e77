import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoopError } from '../../contract/errors.js';
import { errorCode } from '../file-system.js';

const KB = 1_024;
/** Largest size of each file, in bytes. Nothing else of a skill is read. */
const FILES: Readonly<Record<string, number>> = {
  'SKILL.md': 256 * KB,
  'tests.json': 4_096 * KB,
  'certificate.json': 256 * KB,
  'scripts/main.js': 1_024 * KB,
  'scripts/main.ts': 1_024 * KB,
  'scripts/main.wasm': 16_384 * KB,
};
const REFERENCES = 'references';
const MAX_REFERENCES = 200;
const MAX_REFERENCE_BYTES = 1_024 * KB;
const MAX_DEPTH = 4;
/** A pipe must not block. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads the files of a skill. Follows no link, and reads at most the known files and 200 references. Synchronous: small
 * files are read several times faster this way, and a folder has many.
 * @throws LoopError `invalid-input` naming the file.
 */
export function readSkillFiles(folder: string, name: string): ReadonlyMap<string, string | Uint8Array> {
  const say = (problem: string) => new LoopError('invalid-input', `skill ${name}: ${problem}`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) throw say('there is none');
  if (!found.isDirectory()) throw say('is a link or a file, not a folder');
  const files = new Map<string, string | Uint8Array>();
  for (const [path, maxBytes] of Object.entries(FILES)) {
    const [first = '', second] = path.split('/');
    if (second !== undefined && !isFolder(join(folder, first), say)) continue;
    const bytes = readOne(join(folder, path), { path, maxBytes, say });
    if (bytes) files.set(path, path.endsWith('.wasm') ? new Uint8Array(bytes) : textOf(bytes, path, say));
  }
  for (const path of referencesIn(folder, say)) {
    const bytes = readOne(join(folder, path), { path, maxBytes: MAX_REFERENCE_BYTES, say });
    if (bytes) files.set(path, textOf(bytes, path, say));
  }
  return files;
}

/** Returns a text that differs after each change of the main files; `undefined` if there is no `SKILL.md`. */
export function stampOfFiles(folder: string): string | undefined {
  const main = lstatSync(join(folder, 'SKILL.md'), { throwIfNoEntry: false });
  if (!main) return undefined;
  const others = ['scripts', 'tests.json', REFERENCES].map((path) => join(folder, path));
  const scripts = ['main.js', 'main.ts', 'main.wasm'].map((path) => join(folder, 'scripts', path));
  const [first, ...rest] = others.map((path) => lstatSync(path, { throwIfNoEntry: false }));
  const all = [
    main,
    ...rest,
    ...(first ? [first, ...scripts.map((path) => lstatSync(path, { throwIfNoEntry: false }))] : []),
  ];
  return all.map((one) => (one ? `${one.ino}.${one.size}.${one.mtimeMs}.${one.ctimeMs}` : '')).join(' ');
}

type Say = (problem: string) => LoopError;

function readOne(
  place: string,
  { path, maxBytes, say }: { readonly path: string; readonly maxBytes: number; readonly say: Say },
): Buffer | undefined {
  const file = openOne(place, path, say);
  if (file === undefined) return undefined;
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

function openOne(place: string, path: string, say: Say): number | undefined {
  try {
    return openSync(place, READ);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw say(errorCode(error) === 'ELOOP' ? `${path} is a link` : `${path} cannot be read (${errorCode(error)})`);
  }
}

function textOf(bytes: Uint8Array, path: string, say: Say): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw say(`${path} is not UTF-8`);
  }
}

function referencesIn(folder: string, say: Say): readonly string[] {
  const found: string[] = [];
  const visit = (path: string, depth: number): void => {
    if (!isFolder(join(folder, path), say)) return;
    if (depth > MAX_DEPTH) throw say(`${path} is nested more than ${MAX_DEPTH} folders deep`);
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inside, depth + 1);
      else if (found.push(inside) > MAX_REFERENCES) throw say(`has more than ${MAX_REFERENCES} files in ${REFERENCES}`);
    }
  };
  visit(REFERENCES, 1);
  return found.sort();
}

/** Returns whether there is a folder. @throws LoopError `invalid-input` for a link. */
function isFolder(path: string, say: Say): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw say(`${path.split(/[\\/]/).at(-1)} is a link or a file, not a folder`);
  return found !== undefined;
}
