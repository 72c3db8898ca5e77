import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { type Check, isPathValue, type Leaf } from './check-config.js';
import type { RsiConfig } from './define.js';
import { type ConfigFiles, findConfigFiles } from './find-files.js';
import { loadConfigFile, parseJson } from './load-file.js';
import { mustFitTogether, nested, type Origin, readValues, type Setting, type Settings } from './read-values.js';
import { SECTIONS } from './sections.js';

/** Configuration in force, without flags: verbs apply their own. */
export interface Configuration {
  /** Values that something sets. Paths are absolute. */
  readonly values: RsiConfig;
  /** The same by key, with their origin. */
  readonly settings: Settings;
  readonly files: ConfigFiles;
}

export interface Surroundings {
  /** Default: the working folder of the process. */
  readonly cwd?: string;
  /** Default: the variables of the process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Variable that names the configuration file, or `none`. */
export const CONFIG_VARIABLE = 'RSI_CONFIG';

/**
 * Loads the configuration: variables override `rsi.config.*`, which overrides `"rsi"` in `package.json`.
 * @throws LoopError `invalid-input` with one sentence for the first mistake in it.
 */
export async function loadConfig({
  cwd = process.cwd(),
  env = process.env,
}: Surroundings = {}): Promise<Configuration> {
  const files = chooseFiles(cwd, env);
  const layers: Settings[] = [];
  if (files.manifest !== undefined) layers.push(await readFile(files.manifest, 'package.json'));
  if (files.file !== undefined) layers.push(await readFile(files.file, 'file'));
  layers.push(readVariables(env, cwd));
  const settings = new Map(layers.flatMap((layer) => [...layer]).map(([key, setting]) => [key, absolute(setting)]));
  const values = nested(settings);
  const from = layers.flatMap((layer) => [...layer.values()])[0]?.from;
  if (from) mustFitTogether(SECTIONS, values, { key: [], from });
  // Every value was checked by the section that declares its type.
  return { values: values as RsiConfig, settings, files };
}

function chooseFiles(cwd: string, env: NodeJS.ProcessEnv): ConfigFiles {
  const named = env[CONFIG_VARIABLE];
  if (!named) return findConfigFiles(cwd);
  if (named === 'none') return { searched: [] };
  const file = resolve(cwd, named);
  if (existsSync(file)) return { searched: [], file };
  throw new LoopError(
    'invalid-input',
    `${CONFIG_VARIABLE} names ${named}, which does not exist: correct it or unset it`,
  );
}

async function readFile(path: string, kind: 'file' | 'package.json'): Promise<Settings> {
  const from: Origin = {
    kind,
    name: kind === 'file' ? basename(path) : '"rsi" in package.json',
    folder: dirname(path),
  };
  if (kind === 'file') return readValues(SECTIONS, await loadConfigFile(path), from);
  const manifest = parseJson(readFileSync(path, 'utf8'), path) as { readonly rsi?: unknown }; // an object: it was found by its key
  return readValues(SECTIONS, manifest.rsi, from);
}

/** Returns the variables that set values, by key: `loop.alpha` is `RSI_LOOP_ALPHA`. */
export function variables(check: Check = SECTIONS, key = ''): readonly Variable[] {
  if (check.kind === 'leaf') {
    return [{ key, check, variable: `RSI_${key.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}` }];
  }
  if (check.kind === 'table') return [];
  const below = key === '' ? '' : `${key}.`;
  return Object.entries(check.fields).flatMap(([name, field]) => variables(field, below + name));
}

export interface Variable {
  readonly key: string;
  readonly variable: string;
  readonly check: Leaf;
}

function readVariables(env: NodeJS.ProcessEnv, cwd: string): Settings {
  const layers = variables().map(({ key, variable, check }): Settings => {
    const text = env[variable];
    if (!text || check.fromText === undefined) return new Map();
    const content = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), check.fromText(text));
    return readValues(SECTIONS, content, { kind: 'variable', name: variable, folder: cwd });
  });
  return new Map(layers.flatMap((layer) => [...layer]));
}

function absolute(setting: Setting): Setting {
  const { value, check, from } = setting;
  if (!isPathValue(check, value) || isAbsolute(value)) return setting;
  return { ...setting, value: resolve(from.folder, value) };
}
