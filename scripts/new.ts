/**
 * `npm run new -- <kind> <name>`: writes the skeleton of a source, a setting, an importer, a verb or a catalog entry, with
 * a test that fails until it is filled in.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KINDS, type Kind, skeletonOf } from './skeletons.js';

/** Writes a skeleton into the project in `root` and returns what to do next, a line each. */
export function create(root: string, kind: string, name: string): readonly string[] {
  if (!isKind(kind)) throw new Error(`unknown kind ${JSON.stringify(kind)}: give one of ${KINDS.join(', ')}`);
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Error(`${JSON.stringify(name)} is not a name: give lower-case words with hyphens, such as my-format`);
  const { files, edits, fill } = skeletonOf(kind, name);
  for (const path of Object.keys(files)) {
    if (existsSync(join(root, path))) throw new Error(`${path} exists already: choose another name`);
  }
  const changed = new Map<string, string>();
  for (const { path, before, insert } of edits) {
    const text = changed.get(path) ?? readFileSync(join(root, path), 'utf8');
    const at = text.indexOf(before);
    if (at < 0) throw new Error(`${path} does not contain ${JSON.stringify(before)}: correct scripts/skeletons.ts`);
    changed.set(path, text.slice(0, at) + insert + text.slice(at));
  }
  for (const [path, text] of [...Object.entries(files), ...changed]) writeFileSync(join(root, path), text);
  return [
    ...Object.keys(files).map((path) => `wrote ${path}`),
    ...[...changed.keys()].map((path) => `changed ${path}`),
    'fill in:',
    ...fill.map((line) => `  ${line}`),
  ];
}

function isKind(kind: string): kind is Kind {
  return KINDS.some((one) => one === kind);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(create('.', process.argv[2] ?? '', process.argv[3] ?? '').join('\n'));
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
