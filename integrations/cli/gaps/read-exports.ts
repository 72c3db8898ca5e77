import { posix } from 'node:path';
import type { BoundedFolder } from './bounded-folder.js';
import { type Feature, lineCounter } from './feature.js';

/** Files that `export *` leads to. */
const MAX_FILES = 60;
const EXTENSIONS = ['', '.ts', '.d.ts', '.tsx', '.js', '.mjs', '.cjs', '/index.ts', '/index.d.ts', '/index.js'];

/** Reads the names that an entry exports, also those that `export *` takes from files beside it. */
export function readExports(folder: BoundedFolder, entry: string): readonly Feature[] {
  const features: Feature[] = [];
  const waiting = [entry];
  const seen = new Set<string>();
  for (let file = waiting.shift(); file !== undefined && seen.size < MAX_FILES; file = waiting.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = folder.read(file);
    if (text === undefined) continue;
    const code = withoutComments(text);
    features.push(...namesIn(code, file));
    for (const [, from = ''] of code.matchAll(/\bexport\s*\*\s*from\s*['"](\.{1,2}\/[^'"\n]+)['"]/g)) {
      const next = resolveFile(folder, posix.join(posix.dirname(file), from));
      if (next !== undefined) waiting.push(next);
    }
  }
  return features;
}

/** Finds the file behind a path as an import or a manifest writes it: built files may be missing, sources not. */
export function resolveFile(folder: BoundedFolder, path: string): string | undefined {
  const bare = path.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, '');
  const sources = [path, bare, bare.replace(/^(?:\.\/)?(?:dist|lib|build|out)\//, 'src/')];
  for (const source of new Set(sources)) {
    const found = EXTENSIONS.map((extension) => posix.normalize(source + extension)).find((file) => folder.has(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

const DECLARED =
  /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)/g;
const LISTED = /\bexport\s+(?:type\s+)?\{([^{}]{0,20000})\}/g;
const COMMON = /\b(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=/g;
const COMMON_LIST = /\bmodule\.exports\s*=\s*\{([^{}]{0,20000})\}/g;
const PYTHON = /^__all__\s*(?::[^=\n]{0,100})?\+?=\s*[[(]([^\])]{0,20000})/gm;

function namesIn(code: string, file: string): readonly Feature[] {
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const pattern of [DECLARED, COMMON]) {
    for (const match of code.matchAll(pattern)) found.push({ name: match[1] ?? '', at: match.index });
  }
  for (const pattern of [LISTED, COMMON_LIST, PYTHON]) {
    for (const match of code.matchAll(pattern)) {
      const list = match[1] ?? '';
      let at = match.index + match[0].indexOf(list);
      for (const part of list.split(',')) {
        const name = exportedName(part);
        if (name !== undefined) found.push({ name, at: at + part.search(/\S/) });
        at += part.length + 1;
      }
    }
  }
  const lineOf = lineCounter(code);
  const sorted = found.filter(({ name }) => name !== 'default').sort((one, other) => one.at - other.at);
  return sorted.map(({ name, at }) => ({ kind: 'export', name, file, line: lineOf(at) }));
}

/** Reads one part of a list: `type A as B`, `a: b` or `'name'`. */
function exportedName(part: string): string | undefined {
  const words = part.trim().replace(/^type\s+/, '');
  const [named = ''] = words.split(':', 1);
  return /(?<![\w$])[A-Za-z_$][\w$]*$/.exec(named.trim().replace(/['"]$/, ''))?.[0];
}

/** Replaces comments by their line ends, so that lines keep their numbers. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => comment.replace(/[^\n]+/g, ''))
    .replace(/^[ \t]*\/\/.*$/gm, '');
}
