/**
 * `npm run test:changed`: runs the tests of the parts that differ from `main`, and those of uncommitted changes. A change
 * of a screen draws the screens. Everything else is left to CI.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { testsOf } from './changed-parts.js';

const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
const base = git('merge-base', 'HEAD', process.argv[2] ?? 'main')[0] ?? 'HEAD';
const changed = [
  ...git('diff', '--name-only', '--diff-filter=ACMR', base),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const { fast, slow } = testsOf([...new Set(changed)]);
if (fast.length + slow.length === 0) console.log('no tests belong to what changed');
for (const [project, filters] of [
  ['fast', fast],
  ['slow', slow],
] as const) {
  if (filters.length === 0) continue;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--passWithNoTests', ...filters];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}
