import type { CodePatch } from 'rsi-loop/bench';
import type { TreeEntry } from '../worktree/repository.js';
import { pathFault } from './code-path.js';

export interface PatchRules {
  readonly allowed: { has(path: string): boolean };
  readonly protected: { has(path: string): boolean };
  readonly maxFiles: number;
}

/** Characters that change the direction of text: code would not run as it reads. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const LONGEST = 1_000_000;

/**
 * Returns why a patch is rejected before anything of it is written; `undefined` if it is not.
 * @param tree Files of the commit that the patch changes.
 */
export function patchFault(
  patch: unknown,
  rules: PatchRules,
  tree: ReadonlyMap<string, TreeEntry>,
): string | undefined {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return 'the patch is not an object of files';
  const files = Object.entries(patch);
  if (files.length > rules.maxFiles) return `it changes ${files.length} files of at most ${rules.maxFiles}`;
  for (const [path, text] of files) {
    const fault = placeFault(path, rules) ?? treeFault(path, tree) ?? textFault(text);
    if (fault !== undefined) return `${JSON.stringify(path.slice(0, 80))} ${fault}`;
  }
  return clash(files.map(([path]) => path));
}

function placeFault(path: string, rules: PatchRules): string | undefined {
  const fault = pathFault(path);
  if (fault !== undefined) return fault;
  if (rules.protected.has(path)) return 'is protected';
  return rules.allowed.has(path) ? undefined : 'is not among the allowed paths';
}

/** A patch writes regular files where regular files are, or where nothing is. */
function treeFault(path: string, tree: ReadonlyMap<string, TreeEntry>): string | undefined {
  const entry = tree.get(path);
  if (entry) return entry.mode.startsWith('100') ? undefined : 'is a link or a submodule';
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const parent = names.slice(0, depth).join('/');
    if (tree.has(parent)) return `lies below ${parent}, which is not a folder`;
  }
  const lower = path.toLowerCase();
  for (const other of tree.keys()) {
    if (other.startsWith(`${path}/`)) return 'is a folder';
    if (other.toLowerCase() === lower) return `differs from ${other} only in upper and lower case`;
    // A folder in another case is the same folder on some systems, so that a protected one could be entered.
    if (sharesFolder(lower, path, other)) return `enters a folder of ${other} in another case`;
  }
  return undefined;
}

function sharesFolder(lower: string, path: string, other: string): boolean {
  const folder = other.lastIndexOf('/');
  if (folder < 0) return false;
  const parent = other.slice(0, folder + 1);
  return lower.startsWith(parent.toLowerCase()) && !path.startsWith(parent);
}

function textFault(text: unknown): string | undefined {
  if (text === null) return undefined;
  if (typeof text !== 'string') return 'has neither a text nor null';
  if (text.length > LONGEST) return `has ${text.length} characters of at most ${LONGEST}`;
  if (text.includes('\0') || !text.isWellFormed()) return 'is not a text';
  return DIRECTION.test(text) ? 'has a character that changes the direction of text' : undefined;
}

/** Two files of a patch that cannot both exist on every system. */
function clash(paths: readonly string[]): string | undefined {
  const lower = paths.map((path) => path.toLowerCase());
  for (const [index, path] of lower.entries()) {
    const other = lower.findIndex((each, at) => at !== index && (each === path || each.startsWith(`${path}/`)));
    if (other >= 0) return `${paths[index]} and ${paths[other]} cannot both exist on every system`;
  }
  return undefined;
}

/** Returns a patch without files that stay as they are, in the order of their paths. */
export function essential(patch: CodePatch, texts: ReadonlyMap<string, string | undefined>): CodePatch {
  const changed = Object.entries(patch).filter(([path, text]) => (texts.get(path) ?? null) !== text);
  return Object.fromEntries(changed.sort(([a], [b]) => (a < b ? -1 : 1)));
}
