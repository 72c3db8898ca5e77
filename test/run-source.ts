import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const root = resolve(import.meta.dirname, '..');

/** How a child process runs a TypeScript file of this project against the source behind the package's public names. */
export const SOURCE_RUNNER = {
  args: ['--import', import.meta.resolve('tsx')],
  env: { TSX_TSCONFIG_PATH: resolve(root, 'tsconfig.json') },
} as const;

/** Runs a file of this project in a child process, in the folder `cwd`, and waits for its end. */
export function runSource(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly stdin?: string },
): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...SOURCE_RUNNER.args, resolve(root, file), ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...SOURCE_RUNNER.env, ...options.env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', fail).on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(options.stdin ?? '');
  });
}
