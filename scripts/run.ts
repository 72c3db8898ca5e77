import { spawnSync } from 'node:child_process';

/** Runs a program of the project's node_modules or the system with its output shown; false when it failed. */
export function runs(command: string, args: readonly string[], cwd?: string): boolean {
  return spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** As `runs`, but stops the script with a message when it failed. */
export function mustRun(command: string, args: readonly string[], cwd?: string): void {
  if (runs(command, args, cwd)) return;
  console.error(`failed: ${command} ${args.join(' ')}`);
  process.exit(1);
}
