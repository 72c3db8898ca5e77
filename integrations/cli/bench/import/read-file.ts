import { readFile, stat } from 'node:fs/promises';
import { LoopError } from 'rsi-loop';
import { parseExact } from '../../../sources/import/exact-json.js';
import { isRow, type Row, rowOf } from '../../../sources/import/import-fields.js';
import { cleaned } from './cleaned.js';
import { importEvalite } from './evalite.js';
import type { Imported } from './imported.js';
import { importInspect } from './inspect.js';
import { importPromptfoo } from './promptfoo.js';
import { hasPromptfooResults, importPromptfooResults } from './promptfoo-results.js';
import { unzip } from './unzip.js';
import { importVitest } from './vitest.js';

/** Formats, and how a file of each is recognised and read. */
const FORMATS: Readonly<
  Record<string, { readonly fits: (file: Row) => boolean; readonly read: (file: Row) => Imported }>
> = {
  inspect: { fits: ({ eval: evaluation }) => isRow(evaluation), read: importInspect },
  evalite: { fits: ({ evals }) => Array.isArray(evals), read: importEvalite },
  vitest: { fits: ({ testResults }) => Array.isArray(testResults), read: importVitest },
  promptfoo: {
    fits: (file) =>
      hasPromptfooResults(file) ||
      ['tests', 'scenarios', 'prompts', 'providers', 'assert'].some((name) => file[name] !== undefined),
    read: (file) => (hasPromptfooResults(file) ? importPromptfooResults(file) : importPromptfoo(file)),
  },
};

export const FORMAT_NAMES: readonly string[] = Object.keys(FORMATS);

/** Largest file. YAML has aliases, which make a small file large, so its limits are lower. */
const MAX_BYTES = 64_000_000;
const MAX_YAML_BYTES = 4_000_000;
const MAX_ALIASES = 50;
/** Values that are too deep for a problem are named one by one later. */
const MAX_DEPTH = 500;

/**
 * Reads a file of another tool. Its texts are redacted.
 * @throws LoopError `invalid-input` naming the file, and why it cannot be read.
 */
export async function readOtherFile(
  path: string,
  format: string | undefined,
): Promise<Imported & { readonly format: string }> {
  try {
    const document = await documentOf(path);
    const file = Array.isArray(document) ? { tests: document } : rowOf(document);
    const name = format ?? FORMAT_NAMES.find((one) => FORMATS[one]?.fits(file));
    const found = name === undefined ? undefined : FORMATS[name];
    if (found) return { format: name ?? '', ...cleaned(found.read(file)) };
    throw invalid(`has none of the formats ${FORMAT_NAMES.join(', ')}: name one with --format`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT')
      throw new LoopError('invalid-input', `there is no file ${path}: give the path of a file of another tool`, {
        cause,
      });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LoopError('invalid-input', `${path} ${LoopError.is(cause) ? why : `cannot be read: ${why}`}`, { cause });
  }
}

async function documentOf(path: string): Promise<unknown> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw invalid(`has ${Math.ceil(size / 1e6)} MB, more than ${MAX_BYTES / 1e6}: split it`);
  const content = await readFile(path);
  if (content.subarray(0, 2).toString('latin1') === 'PK') return inspectArchive(content);
  if (content.subarray(0, 6).toString('latin1') === 'SQLite')
    throw invalid('is a database: export its results as JSON');
  const text = content.toString('utf8').replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(text) && !/\.ya?ml$/i.test(path)) return parseExact(text);
  return yamlOf(text, size);
}

async function yamlOf(text: string, size: number): Promise<unknown> {
  if (size > MAX_YAML_BYTES)
    throw invalid(`has ${Math.ceil(size / 1e6)} MB of YAML, more than ${MAX_YAML_BYTES / 1e6}: split it`);
  const { load, YAMLException } = await import('./yaml.js');
  try {
    return load(text, { maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH });
  } catch (cause) {
    throw cause instanceof YAMLException ? invalid(`is not usable YAML: ${cause.reason}`) : cause;
  }
}

/** Returns the log of Inspect in an archive (`.eval`), as its JSON form has it. */
function inspectArchive(archive: Buffer): Row {
  const files = unzip(archive, (name) => /^(?:header\.json|_journal\/start\.json|samples\/[^/]+\.json)$/.test(name));
  // An evaluation that was interrupted has no header.
  const header = files.get('header.json') ?? files.get('_journal/start.json');
  if (header === undefined) throw invalid('is an archive, but not one of Inspect');
  const samples = [...files].filter(([name]) => name.startsWith('samples/')).map(([, text]) => parseExact(text));
  return { ...rowOf(parseExact(header)), samples };
}

function invalid(what: string): LoopError {
  return new LoopError('invalid-input', what);
}
