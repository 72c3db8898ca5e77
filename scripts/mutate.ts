/**
 * `npm run mutate -- MODULE [FILE …]`: changes a module line by line and prints each change that its tests do not notice.
 * `mutate/test-runner.ts` says which tests those are. A module is a folder of `src`, or one such as
 * `integrations/sources/import`. A file may name its lines, such as `replay.ts:60-120`. Fails below 85 %. Results of
 * unchanged lines are kept in `.tmp/mutate`, so a second run of a module is short. Named files are measured again.
 * `MODULE.results.txt` there grows while it runs.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { runs } from './run.js';

const LEAST_PERCENT = 85;

const [module = '', ...files] = process.argv.slice(2);
const code = module.startsWith('integrations/') ? module : `src/${module}`;
if (module === '' || !existsSync(code) || !existsSync(`test/${module}`)) {
  console.error(`"${module}" has no folder of code and of tests; usage: npm run mutate -- MODULE [FILE …]`);
  process.exit(2);
}

const folder = '.tmp/mutate';
const report = `${folder}/${module.replaceAll('/', '-')}`;
mkdirSync(folder, { recursive: true });
rmSync(`${report}.results.txt`, { force: true });
const config = {
  testRunner: 'loaded-tests',
  plugins: [resolve('scripts/mutate/test-runner.ts'), resolve('scripts/mutate/results.ts')],
  coverageAnalysis: 'perTest',
  // Many mutants hang: they wait for a time-out and leave the processors to others.
  concurrency: 2 * availableParallelism(),
  mutate: files.length === 0 ? [`${code}/**/*.ts`] : files.map((file) => `${code}/${file}`),
  // A changed text of a message is no changed behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 95, low: LEAST_PERCENT, break: LEAST_PERCENT },
  incremental: true,
  // Kept results of tables and expressions at the top of a file are not renewed when tests change.
  force: files.length > 0,
  incrementalFile: `${report}.incremental.json`,
  reporters: ['progress-append-only', 'clear-text', 'html', 'results'],
  // Longer than a machine that does other work needs for a test that passes.
  timeoutMS: 10_000,
  htmlReporter: { fileName: `${report}.html` },
  clearTextReporter: { allowColor: false, reportTests: false },
  // The folder with the sandboxes, which would otherwise be copied into each other.
  ignorePatterns: ['.tmp', 'dist', 'docs', 'coverage'],
  tempDirName: `${report}.sandbox`,
};
writeFileSync(`${report}.json`, JSON.stringify(config, null, 2));
process.env.MUTATED_MODULE = module;
process.env.MUTANT_RESULTS = resolve(`${report}.results.txt`);
// Stryker loads the test runner, which is TypeScript, in each of its processes.
process.env.NODE_OPTIONS = '--import tsx';
process.exitCode = runs('stryker', ['run', `${report}.json`]) ? 0 : 1;
