import { packageFolder } from 'rsi-loop/node';
import type { Problem } from './problem.js';
import { readJsonFiles } from './read-json-files.js';

/** Returns the problems of this package: 20 of writing code and 15 of mending bugs, in TypeScript, with hidden tests. */
export async function shippedProblems(set: 'code'): Promise<readonly Problem[]> {
  return readJsonFiles(packageFolder('benchmarks', set)) as readonly Problem[]; // tests hold their format
}
