import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { isObject } from './check-config.js';
import { parseJson } from './load-file.js';

export const CONFIG_NAMES = ['rsi.config.ts', 'rsi.config.js', 'rsi.config.mjs', 'rsi.config.json'] as const;

/** Files that configure `rsi` in a folder. */
export interface ConfigFiles {
  /** Folders searched, the working folder first. */
  readonly searched: readonly string[];
  /** Nearest `rsi.config.*`. */
  readonly file?: string;
  /** Nearest `package.json` with an `"rsi"` key. */
  readonly manifest?: string;
}

/**
 * Finds the nearest configuration files. Searches the working folder and the folders above it, up to the project root:
 * the first one that holds `.git`, or else the nearest one with a `package.json`, or else the working folder alone.
 * Never searches the home folder or above it from a folder below, nor the folder of a store.
 * @throws LoopError `invalid-input` if a folder holds two configuration files, or if the file belongs to another user.
 */
export function findConfigFiles(workingFolder: string): ConfigFiles {
  const searched = foldersToSearch(resolve(workingFolder));
  const file = firstOf(searched, configIn);
  const manifest = firstOf(searched, manifestIn);
  for (const found of [file, manifest]) if (found !== undefined) mustBelongToProject(found, workingFolder);
  return { searched, ...(file !== undefined && { file }), ...(manifest !== undefined && { manifest }) };
}

function foldersToSearch(start: string): readonly string[] {
  const home = homedir();
  const above: string[] = [start];
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder)) {
    const next = dirname(folder);
    if (next === home || folder === home) break;
    above.push(next);
  }
  const isRoot = (name: string) => above.findIndex((folder) => existsSync(join(folder, name)));
  const end = [isRoot('.git'), isRoot('package.json')].find((index) => index >= 0) ?? 0;
  const project = above.slice(0, end + 1);
  // Records are other people's text, so nothing at or below the folder of a store is read.
  return project.slice(project.findLastIndex(isStoreFolder) + 1);
}

function isStoreFolder(folder: string): boolean {
  return /^\.?rsi_data$/.test(basename(folder)) || existsSync(join(folder, 'store.json'));
}

function configIn(folder: string): string | undefined {
  const found = CONFIG_NAMES.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1)
    throw new LoopError('invalid-input', `${folder} holds ${found.join(' and ')}: keep one of them`);
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

function manifestIn(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  // A mistake in a manifest that does not concern this command is left to other programs.
  return text.includes('"rsi"') && isObject(parseJson(text, path)) && 'rsi' in JSON.parse(text) ? path : undefined;
}

function firstOf(folders: readonly string[], find: (folder: string) => string | undefined): string | undefined {
  for (const folder of folders) {
    const found = find(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Refuses a file that another user placed above the working folder, e.g. in a temporary folder that all share. */
function mustBelongToProject(path: string, workingFolder: string): void {
  const own = process.getuid?.();
  const { uid } = lstatSync(path);
  if (own === undefined || uid === own || uid === statSync(workingFolder).uid) return;
  throw new LoopError(
    'invalid-input',
    `${path} belongs to another user than the working folder, so it is not run: remove it, or set RSI_CONFIG to a file of yours or to none`,
  );
}
