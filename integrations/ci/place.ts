import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestCase } from './test-case.js';

/** File of the project, relative to its root, with `/` on every system. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

/** Frame of a stack trace: JavaScript, Python, Java and Go write the file and the line next to each other. */
const FRAME = /(?<![^\s():"'<>])(?:file:\/\/)?((?:[A-Za-z]:)?[^\s():"'<>]+\.\w{1,5})(?:", line |:)(\d+)/g;
const MAX_FRAMES = 60;

/** Finds where in a project tests fail. */
export class Places {
  readonly #root: string;
  readonly #folder: string;
  readonly #goModule: { readonly name: string; readonly folder: string } | undefined;

  /** @param folder The folder that the tests ran in. */
  constructor(folder: string, root: string) {
    this.#root = root;
    this.#folder = folder;
    this.#goModule = goModuleOf(folder);
  }

  /** Returns the name of a suite or test without the machine's own folders, so that it is the same on every machine. */
  stable(name: string): string {
    if (name.startsWith('file://') || isAbsolute(name)) return this.#inProject(name) ?? name;
    return name.includes('\\') && /\.\w{1,5}$/.test(name) ? name.replaceAll('\\', '/') : name;
  }

  /** Returns the failing line: that of the stack trace in the test's own file, else as the report has it. */
  of({ suite, file, line, failure }: TestCase): Place | undefined {
    const own = this.#fileOf(suite, file);
    const frames = this.frames(failure?.details);
    if (own === undefined) return frames[0];
    const frame = frames.find((each) => each.file === own);
    const found = frame?.line ?? line;
    return found === undefined ? { file: own } : { file: own, line: found };
  }

  /** Returns the places of a stack trace that are in the project, innermost first. */
  frames(details = ''): readonly Place[] {
    const isPython = details.includes('Traceback') || /^\S+\.py:\d+: /m.test(details);
    const found = [...details.matchAll(FRAME)].slice(0, MAX_FRAMES).flatMap(([, path = '', line]) => {
      const file = path.includes('node_modules') ? undefined : this.#inProject(path);
      return file !== undefined && this.#exists(file) ? [{ file, line: Number(line) }] : [];
    });
    return isPython ? found.reverse() : found;
  }

  #fileOf(suite: string, file: string | undefined): string | undefined {
    const { name = '', folder = '' } = this.#goModule ?? {};
    if (name !== '' && (suite === name || suite.startsWith(`${name}/`)) && file !== undefined) {
      return this.#inProject(join(folder, suite.slice(name.length), file));
    }
    if (file !== undefined) return file.endsWith('.go') ? undefined : this.#inProject(file);
    const named = /\.\w{1,5}$/.test(suite) ? this.#inProject(suite) : undefined;
    return named !== undefined && this.#exists(named) ? named : undefined;
  }

  #inProject(path: string): string | undefined {
    const file = localPath(path);
    if (file === undefined) return undefined;
    const inFolder = resolve(this.#folder, file);
    const full = isAbsolute(file) || existsSync(inFolder) ? inFolder : resolve(this.#root, file);
    const name = relative(this.#root, full).split(sep).join('/');
    return name === '' || name.startsWith('..') || isAbsolute(name) ? undefined : name;
  }

  #exists(file: string): boolean {
    return statSync(join(this.#root, file), { throwIfNoEntry: false })?.isFile() === true;
  }
}

function localPath(path: string): string | undefined {
  if (path.includes('\0')) return undefined;
  try {
    return path.startsWith('file://') ? fileURLToPath(path) : path;
  } catch {
    return undefined;
  }
}

/** Returns the root of the project that a folder is in: of its CI system, or of git; else the folder. */
export function rootOf(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const named = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR;
  if (named && !relative(named, folder).startsWith('..')) return resolve(named);
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Returns the module of the nearest go.mod, because Go names packages by it. */
function goModuleOf(folder: string): { readonly name: string; readonly folder: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'go.mod'))) {
      const [, name] = /^module\s+(\S+)/m.exec(readFileSync(join(at, 'go.mod'), 'utf8')) ?? [];
      return name === undefined ? undefined : { name, folder: at };
    }
    if (dirname(at) === at) return undefined;
  }
}
