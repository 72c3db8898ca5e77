import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { LoopError } from 'rsi-loop';

const MAX_FILES = 400;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 5;
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  'vendor',
  'target',
  '__pycache__',
  'venv',
]);

/** Folder of which a limited amount is read. Links that lead out of it, and files that are no text files, are skipped. */
export class BoundedFolder {
  readonly path: string;
  /** Files that were not read, and why. */
  readonly skipped: string[] = [];
  #files = 0;
  #bytes = 0;

  /** @throws LoopError `invalid-input` if it is not a folder. */
  constructor(path: string) {
    const given = resolve(path);
    if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) {
      throw new LoopError('invalid-input', `${path} is not a folder: name the folder of a project on this disk`);
    }
    this.path = realpathSync(given);
  }

  /** Returns the text of a file; undefined if there is none or it is not read. */
  read(file: string): string | undefined {
    const path = this.#inside(file);
    if (path === undefined) return undefined;
    if (this.#files >= MAX_FILES || this.#bytes >= MAX_BYTES) return this.#skip(file, 'the limit of files is reached');
    const descriptor = openQuietly(path);
    if (descriptor === undefined) return this.#skip(file, 'it cannot be read');
    try {
      const state = fstatSync(descriptor);
      if (!state.isFile()) return undefined;
      if (state.size > MAX_FILE_BYTES) return this.#skip(file, `it has more than ${MAX_FILE_BYTES / 1024} kB`);
      this.#files++;
      this.#bytes += state.size;
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  }

  has(file: string): boolean {
    const path = this.#inside(file);
    return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  }

  /** Lists files below a folder whose names match, sorted. Does not follow links. */
  list(folder: string, name: RegExp): readonly string[] {
    const found: string[] = [];
    const waiting = [{ at: folder, depth: 0 }];
    let left = MAX_ENTRIES;
    for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
      const { at, depth } = next;
      const path = this.#inside(at);
      for (const entry of path === undefined ? [] : readdirQuietly(path)) {
        left--;
        const file = join(at, entry.name);
        if (entry.isFile() && name.test(entry.name)) found.push(file);
        if (entry.isDirectory() && depth < MAX_DEPTH && !isSkipped(entry.name))
          waiting.push({ at: file, depth: depth + 1 });
      }
    }
    return found.sort();
  }

  /** Returns the real path if it is in this folder. */
  #inside(file: string): string | undefined {
    let real: string;
    try {
      real = realpathSync(resolve(this.path, file));
    } catch {
      return undefined;
    }
    if (real === this.path || real.startsWith(this.path + sep)) return real;
    return this.#skip(relative('.', file), 'it leads out of the project');
  }

  #skip(file: string, why: string): undefined {
    const line = `${file}: ${why}`;
    if (this.skipped.length < 100 && !this.skipped.includes(line)) this.skipped.push(line);
    return undefined;
  }
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name);
}

/** A named pipe would wait for a writer. */
function openQuietly(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
}

function readdirQuietly(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
