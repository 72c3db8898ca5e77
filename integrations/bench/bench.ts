import { problemsFromPattern } from './from-pattern.js';
import type { Problem } from './problem.js';
import { readJsonFiles } from './read-json-files.js';
import { Suite, type SuiteOptions } from './suite.js';

/** Options of `bench`. */
export interface BenchOptions extends Omit<SuiteOptions, 'problems'> {
  /** Problems, or where their JSON files are: a folder, a file, or a pattern such as `./bench/*.json`. */
  readonly problems: readonly Problem[] | string;
}

/**
 * Creates a benchmark from problems or their files. `bench.fromPattern` makes problems of recorded failures.
 * @throws LoopError `invalid-input` naming the file or problem that cannot be used.
 */
export const bench = Object.assign(openBench, { fromPattern: problemsFromPattern });

function openBench(name: string, options: BenchOptions): Suite {
  const { problems } = options;
  // The suite checks them.
  const read = typeof problems === 'string' ? (readJsonFiles(problems) as readonly Problem[]) : problems;
  return new Suite(name, { ...options, problems: read });
}
