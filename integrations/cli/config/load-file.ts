import { readFileSync } from 'node:fs';
// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction, constants } from 'node:vm';
import { LoopError } from 'rsi-loop';
import { isObject } from './check-config.js';

const EXAMPLE = "export default { store: './rsi_data' }";

/**
 * Loads the content of a configuration file. A file of code is run: it is the user's own. `example` ends the error message.
 * @throws LoopError `invalid-input` with the file and the reason if it cannot be read or run, or exports no object.
 */
export async function loadConfigFile(path: string, example = EXAMPLE): Promise<unknown> {
  const content = extname(path) === '.json' ? parseJson(readFileSync(path, 'utf8'), path) : await run(path);
  if (isObject(content)) return content;
  throw new LoopError('invalid-input', `${path} exports no object: write "${example}"`);
}

/** @throws LoopError `invalid-input` with the file and the reason. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new LoopError('invalid-input', `${path} is not valid JSON: ${reasonOf(cause)}`, { cause });
  }
}

async function run(path: string): Promise<unknown> {
  // Node reads TypeScript from 22.18 on. The property is absent from the types of Node 20.
  const readsTypes = Boolean((process.features as { typescript?: unknown }).typescript);
  try {
    const loaded = extname(path) === '.ts' && !readsTypes ? await runTypeScript(path) : await quietly(path);
    return isObject(loaded) && 'default' in loaded ? loaded.default : loaded;
  } catch (cause) {
    if (LoopError.is(cause)) throw cause;
    throw new LoopError('invalid-input', `${path} cannot be run: ${reasonOf(cause)}`, { cause });
  }
}

/** Imports a module without Node's warnings on how it guessed the language of the file. */
async function quietly(path: string): Promise<unknown> {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const [kind] = rest;
    const code = isObject(kind) ? kind.code : rest[1];
    if (kind === 'ExperimentalWarning' || code === 'MODULE_TYPELESS_PACKAGE_JSON') return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    const loaded: unknown = await import(pathToFileURL(path).href);
    return loaded;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Part of `typescript` in use here. */
interface Compiler {
  transpile(text: string, options: object, fileName: string): string;
}

/** Runs a TypeScript file on a Node that cannot: by the `typescript` of the project. */
async function runTypeScript(path: string): Promise<unknown> {
  const require = nodeModule.createRequire(path);
  const { transpile } = findCompiler(require, path);
  const options = { module: 1 /* CommonJS */, target: 9 /* ES2022 */, esModuleInterop: true };
  const code = transpile(readFileSync(path, 'utf8'), options, path);
  const module: { exports: unknown } = { exports: {} };
  const importModuleDynamically = constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const body = compileFunction(code, ['module', 'exports', 'require', '__filename', '__dirname'], {
    filename: path,
    ...(importModuleDynamically !== undefined && { importModuleDynamically }),
  });
  body(module, module.exports, require, path, dirname(path));
  return module.exports;
}

function findCompiler(require: NodeJS.Require, path: string): Compiler {
  try {
    return require('typescript');
  } catch (cause) {
    const advice = 'run "npm install --save-dev typescript", use Node 22.18 or newer, or write it as .mjs';
    const why = `Node ${process.versions.node} cannot read TypeScript, and the project has no typescript`;
    throw new LoopError('invalid-input', `${path} cannot be run: ${why}: ${advice}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0] ?? '';
}
