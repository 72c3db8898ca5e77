import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import type { Suite, Variant } from 'rsi-loop/bench';
import { isObject } from '../config/check-config.js';
import { loadConfigFile } from '../config/load-file.js';
import { type ImproveConfig, readImproveConfig } from '../improve/improve-config.js';
import { shortPath } from '../terminal/short-path.js';

const NAMES = ['rsi.bench.ts', 'rsi.bench.mjs', 'rsi.bench.js'] as const;
const EXAMPLE = 'export default { suites: [bench(...)], variants: [{ name: ..., prompts: ... }] }';

/** Benchmarks of a project, and the variants to compare with the agent as it is. */
export interface BenchFile {
  readonly path: string;
  readonly suites: readonly Suite[];
  readonly variants: readonly (Variant & { readonly name: string })[];
  /** Options of `rsi improve`, if the file has them. */
  readonly improve?: ImproveConfig;
}

/**
 * Loads the benchmarks of the working folder, or of the named file. The file is code of the user and is run.
 * @throws LoopError `invalid-input` naming the file, and what it lacks.
 */
export async function loadBenchFile(named: string | undefined): Promise<BenchFile> {
  const path = benchPath(named);
  const shown = shortPath(path);
  if (!existsSync(path)) {
    throw new LoopError('invalid-input', howToBegin(shown));
  }
  const content = await loadConfigFile(path, EXAMPLE);
  const { suite, suites = [suite], variants = [], improve } = isObject(content) ? content : {};
  const loaded: unknown[] = await Promise.all(Array.isArray(suites) ? suites : [suites]);
  if (loaded.length === 0 || !loaded.every(isSuite)) {
    throw new LoopError('invalid-input', `${shown} has no suites made by bench(): write "${EXAMPLE}"`);
  }
  const names = loaded.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new LoopError('invalid-input', `${shown} has two suites named ${twice}: rename one`);
  return {
    path,
    suites: loaded,
    variants: variantsOf(variants, shown),
    ...(improve !== undefined && { improve: readImproveConfig(improve, shown) }),
  };
}

/** Returns what to write into a file of benchmarks that does not exist. */
export function howToBegin(path: string): string {
  return `there is no file ${path}: it says "${EXAMPLE}"; docs/guides/teams.md of the package has one to copy, and --file names another one`;
}

/** Returns the path of the named file, or of the benchmarks of the working folder. */
export function benchPath(named: string | undefined): string {
  return resolve(named ?? NAMES.find((name) => existsSync(name)) ?? NAMES[0]);
}

/**
 * Returns the only suite, or the named one.
 * @throws LoopError `invalid-input` with the names to choose from.
 */
export function suiteNamed({ suites }: BenchFile, name: string | undefined): Suite {
  const found = name === undefined && suites.length === 1 ? suites[0] : suites.find((suite) => suite.name === name);
  if (found) return found;
  const names = suites.map((suite) => suite.name).join(', ');
  const what = name === undefined ? 'there are several suites' : `there is no suite ${name}`;
  throw new LoopError('invalid-input', `${what}: name one with --suite (${names})`);
}

/** Another copy of the package may have made the suite. */
function isSuite(value: unknown): value is Suite {
  return isObject(value) && Array.isArray(value.problems) && typeof (value as Partial<Suite>).baseline === 'function';
}

/** Its prompts and its policy are for the user's own `run`. */
function isNamed(value: unknown): value is Variant & { readonly name: string } {
  return isObject(value) && typeof value.name === 'string' && value.name !== '';
}

function variantsOf(given: unknown, shown: string): BenchFile['variants'] {
  const variants: unknown[] = Array.isArray(given) ? given : [given];
  return variants.map((variant) => {
    if (isNamed(variant)) return variant;
    throw new LoopError('invalid-input', `${shown} has a variant without a name: write { name: 'v2', prompts: ... }`);
  });
}
