import { readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Folders that a pattern enters only if it names them. */
const LEFT_OUT: readonly string[] = ['node_modules', '.git'];
const WILD = /[*?[\]{}]/;

export interface FoundReports {
  readonly files: readonly string[];
  /** Names without a file, each as a sentence. */
  readonly missing: readonly string[];
}

/** Finds the files that paths and patterns such as `reports/*.xml` name, each once. `-` is standard input. */
export function findReports(named: readonly string[]): FoundReports {
  const files = new Set<string>();
  const missing: string[] = [];
  for (const name of named) {
    const found = name === '-' || isFile(name) ? [name] : matchesOf(name);
    for (const file of found) files.add(file);
    if (found.length === 0) missing.push(whyMissing(name));
  }
  return { files: [...files], missing };
}

function whyMissing(name: string): string {
  if (statSync(name, { throwIfNoEntry: false })) {
    return `${name} is a folder: name its reports, such as ${join(name, '*.xml')}`;
  }
  if (WILD.test(name)) return `no file matches ${name}`;
  return `no file ${name}: let the test runner write its report there first`;
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === false;
}

function matchesOf(named: string): readonly string[] {
  if (!WILD.test(named)) return [];
  const pattern = posix.normalize(named.replaceAll('\\', '/'));
  const parts = pattern.split('/');
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => WILD.test(part)),
  );
  const base = fixed.join('/') || (pattern.startsWith('/') ? '/' : '.');
  const wanted = globOf(pattern);
  return [
    ...filesIn(
      base,
      LEFT_OUT.filter((name) => !parts.includes(name)),
    ),
  ]
    .filter((file) => wanted.test(file))
    .sort();
}

function* filesIn(folder: string, leftOut: readonly string[]): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = posix.join(folder, entry.name);
    if (!entry.isDirectory()) yield path;
    else if (!leftOut.includes(entry.name)) yield* filesIn(path, leftOut);
  }
}

/** Returns the entries of a folder; none if it cannot be read. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns the expression of a pattern: two stars for any folders, `*`, `?`, `[a-z]` and `{one,other}` within a name. */
function globOf(pattern: string): RegExp {
  const parts: Readonly<Record<string, string>> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|\[!?[^[\]/]+\]|\{[^{}]*\}|[\\^$.+()|[\]{}]/g, (token) => {
    const part = parts[token];
    if (part !== undefined) return part;
    if (/^\[.+\]$/.test(token)) return token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    if (token.startsWith('{') && token.length > 1) {
      const words = token.slice(1, -1).split(',');
      return `(?:${words.map((word) => word.replace(/[\\^$.+()|*?[\]]/g, '\\$&')).join('|')})`;
    }
    return `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}
