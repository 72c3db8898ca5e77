import { spawn, spawnSync } from 'node:child_process';

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

/** As `runs`, but does not wait: resolves with the exit code and the output, which is empty when shown immediately. */
export function started(
  command: string,
  args: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', output, output] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', fail).on('close', (code) => done({ code, text: Buffer.concat(chunks).toString() }));
  });
}
