/** `npm run check`: everything CI runs besides the tests. `-- --all-nodes` tries the package on every supported Node. */
import { runs } from './run.js';

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['lint', 'biome', 'check', '.'],
  ['types', 'tsc', '--noEmit'],
  ['unused code', 'knip'],
  ['build', 'npm', 'run', 'build', '--', '--silent'],
  ['package.json', 'publint', 'run', '--strict'],
  // node10 knows no `exports`: a caller that resolves that way gets the main entry, and is not supported beyond it.
  ['type resolution', 'attw', '--pack', '.', '--profile', 'node16'],
  ['size bundles', 'tsx', 'scripts/size.ts'],
  ['size', 'size-limit'],
  ['packed package', 'tsx', 'scripts/packed.ts', ...process.argv.slice(2)],
];

const failed: string[] = [];
for (const [name, command, ...args] of STEPS) {
  const startedMs = performance.now();
  console.log(`\n== ${name}`);
  if (!runs(command, args)) failed.push(name);
  console.log(`   ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}
console.log(failed.length === 0 ? '\nall checks pass' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
