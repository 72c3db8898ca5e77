import { basename } from 'node:path';
import { BoundedFolder } from './bounded-folder.js';
import { type Feature, lineCounter } from './feature.js';
import { readDocument } from './read-documents.js';
import { readExports, resolveFile } from './read-exports.js';

/** Project on this disk, and its features. */
export interface Project {
  readonly name: string;
  readonly folder: string;
  readonly features: readonly Feature[];
  /** Names of the packages that its manifest depends on. */
  readonly dependencies: readonly string[];
  /** Files that were not read, and why. */
  readonly skipped: readonly string[];
}

const USUAL_ENTRIES = ['src/index', 'index', 'lib/index', 'src/main', 'mod'];
const MANIFEST = 'package.json';

/** Reads the manifest, the entries and the documents of a project. Runs none of its code. */
export function readProject(path: string): Project {
  const folder = new BoundedFolder(path);
  const text = folder.read(MANIFEST);
  const manifest = text === undefined ? {} : readManifest(text);
  const name = nonEmptyText(manifest.name) ?? basename(folder.path);
  const bins = typeof manifest.bin === 'string' ? [name.replace(/^.*\//, '')] : Object.keys(recordOf(manifest.bin));
  const python = pythonScripts(folder);
  const documents = [...folder.list('.', /^readme[\w.-]*\.(?:md|mdx|markdown)$/i), ...folder.list('docs', /\.mdx?$/i)];
  const programs = [...bins, ...python.map((script) => script.name)];
  const features = [
    ...manifestFeatures(manifest, text ?? '', bins),
    ...python,
    ...entriesOf(folder, manifest).flatMap((entry) => readExports(folder, entry)),
    ...[...new Set(documents)].flatMap((file) => readDocument(folder.read(file) ?? '', file, programs)),
  ];
  const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(recordOf(manifest[kind])),
  );
  return { name, folder: folder.path, features, dependencies, skipped: folder.skipped };
}

type Manifest = Readonly<Record<string, unknown>>;

function readManifest(text: string): Manifest {
  try {
    return recordOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return {};
  }
}

function manifestFeatures(manifest: Manifest, text: string, bins: readonly string[]): readonly Feature[] {
  const entries = Object.keys(recordOf(manifest.exports)).filter(
    (name) => name.startsWith('./') && !/[*]|\.json$/.test(name),
  );
  const scripts = Object.keys(recordOf(manifest.scripts)).filter((name) => !/^(?:pre|post)[a-z]/.test(name));
  const placed = (kind: Feature['kind'], names: readonly string[]): readonly Feature[] =>
    names.map((name) => {
      const at = Math.max(0, text.indexOf(`${JSON.stringify(name)}:`));
      return { kind, name: name.replace(/^\.\//, ''), file: MANIFEST, line: lineCounter(text)(at) };
    });
  return [...placed('command', bins), ...placed('entry', entries), ...placed('script', scripts)];
}

/** Finds the files behind the entries of a manifest, or the usual ones. */
function entriesOf(folder: BoundedFolder, { exports, types, main, module }: Manifest): readonly string[] {
  const named = [...targetsOf(exports), nonEmptyText(types), nonEmptyText(module), nonEmptyText(main)].filter(
    (path) => path !== undefined,
  );
  const found = named.filter((path) => !path.includes('*')).map((path) => resolveFile(folder, path));
  const usual = USUAL_ENTRIES.map((path) => resolveFile(folder, path));
  const files = new Set([...found, ...usual].filter((file) => file !== undefined));
  const python = folder.list('.', /^__init__\.py$/).slice(0, 3);
  return [...files, ...python];
}

/** Returns one file for each entry: the types, or else the first one. */
function targetsOf(exports: unknown, depth = 0): readonly string[] {
  if (typeof exports === 'string') return [exports];
  if (typeof exports !== 'object' || exports === null || depth > 4) return [];
  const conditions = Object.entries(exports);
  if (conditions.some(([name]) => name.startsWith('.')))
    return conditions.flatMap(([, one]) => targetsOf(one, depth + 1));
  const [, best] = conditions.find(([name]) => name === 'types') ?? conditions[0] ?? [];
  return targetsOf(best, depth + 1);
}

function pythonScripts(folder: BoundedFolder): readonly Feature[] {
  const file = 'pyproject.toml';
  const lines = (folder.read(file) ?? '').split('\n');
  const start = lines.findIndex((line) => /^\[(?:project|tool\.poetry)\.scripts\]/.test(line));
  if (start === -1) return [];
  const end = lines.findIndex((line, index) => index > start && line.startsWith('['));
  return lines.slice(start + 1, end === -1 ? lines.length : end).flatMap((line, index) => {
    const name = /^\s*"?([\w.-]{1,60})"?\s*=/.exec(line)?.[1];
    return name === undefined ? [] : [{ kind: 'command', name, file, line: start + index + 2 } as const];
  });
}

function recordOf(value: unknown): Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : {};
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
