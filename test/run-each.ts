import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs the scripts of a folder whose names start with one of `args`, one after another, each in a process of its own
 * so that none warms up the next. Arguments that begin with `--` go to the scripts.
 */
export function runEach(folder: string, ending: string, args: readonly string[]): void {
  const options = args.filter((arg) => arg.startsWith('--'));
  const names = args.filter((arg) => !arg.startsWith('--'));
  const all = readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort();
  const chosen = names.length === 0 ? all : all.filter((file) => names.some((name) => file.startsWith(name)));
  if (chosen.length === 0) {
    console.error(
      `no script called ${names.join(', ')}: use ${all.map((file) => file.slice(0, -ending.length)).join(', ')}`,
    );
    process.exit(2);
  }
  for (const file of chosen) {
    console.log(`\n== ${file.slice(0, -ending.length)}`);
    const { status } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', join(folder, file), ...options], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
