/** `npm run check`: everything CI runs besides the tests. `-- --all-nodes` tries the package on every supported Node. */
import { started } from './run.js';

type Step = readonly [name: string, command: string, ...args: string[]];

const SOURCES: readonly Step[] = [
  ['lint', 'biome', 'check', '.'],
  ['types', 'tsc', '--noEmit'],
  ['unused code', 'knip'],
  ['public names', 'tsx', 'scripts/api-report.ts', '--check'],
];
const PACKAGE: readonly Step[] = [
  ['build', 'npm', 'run', 'build', '--', '--silent'],
  ['package.json', 'publint', 'run', '--strict'],
  // node10 knows no `exports`: a caller that resolves that way gets the main entry, and is not supported beyond it.
  ['type resolution', 'attw', '--pack', '.', '--profile', 'node16'],
  ['size bundles', 'tsx', 'scripts/size.ts'],
  ['size', 'size-limit'],
  ['packed package', 'tsx', 'scripts/packed.ts', ...process.argv.slice(2)],
  ['first minutes', 'tsx', 'scripts/first-minutes.ts'],
  ['release walk', 'tsx', 'scripts/release-walk.ts'],
];

// Neither needs the other, and a machine that builds has two cores.
const failed = (await Promise.all([SOURCES, PACKAGE].map(failedOf))).flat();
console.log(failed.length === 0 ? '\nall checks pass' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs steps one after another. Prints each when it has ended, so that outputs do not mix. Returns those that failed. */
async function failedOf(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, command, ...args] of steps) {
    const startedMs = performance.now();
    const { code, text } = await started(command, args, 'pipe');
    if (code !== 0) failed.push(name);
    console.log(`\n== ${name}\n${text}   ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  return failed;
}
