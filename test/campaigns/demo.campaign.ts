/**
 * The demo on many seeds: what it claims has to hold on every one of them, and with fixes that can do nothing it has to
 * confirm nothing on at least 19 of 20. `--seeds=N` (default 20).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const seeds = Number(process.argv.find((arg) => arg.startsWith('--seeds='))?.slice(8) ?? 20);
const root = resolve(import.meta.dirname, '../..');

const works = count([]);
const quiet = count(['--no-effect', '--seconds', '25']);
const allowed = Math.floor(seeds / 20);
console.log(`claims hold:                     ${works} of ${seeds} seeds (aim: all)`);
console.log(`nothing confirmed without effect: ${quiet} of ${seeds} seeds (aim: at least ${seeds - allowed})`);
process.exitCode = works === seeds && quiet >= seeds - allowed ? 0 : 1;

function count(options: readonly string[]): number {
  let passed = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-demo-'));
    const args = ['--import', 'tsx', 'examples/demo/main.ts', '--quiet', '--seed', String(seed), '--folder', folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...options], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status === 0) passed++;
    console.log(`${status === 0 ? 'ok ' : 'NOT'} ${stdout.trim().replaceAll('\n', '; ')} ${stderr.trim()}`);
    rmSync(folder, { recursive: true, force: true });
  }
  return passed;
}
