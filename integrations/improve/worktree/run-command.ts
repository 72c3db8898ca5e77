import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxOptions } from 'rsi-loop/bench';
import { runSandboxed, type SandboxResult, SYSTEM_PATH } from 'rsi-loop/bench';
import { packageFolder } from 'rsi-loop/node';

export interface CommandOptions extends Omit<SandboxOptions, 'folder' | 'files' | 'readable' | 'linked' | 'hidden'> {
  /** Folder whose `node_modules` the command reads, but cannot change. */
  readonly root: string;
}

/**
 * Runs a command of a project in a worktree, in the sandbox: it finds Node, npm and the programs of `node_modules`, and
 * nothing else of the user. The problems of this package are hidden, as they have expected answers.
 */
export function runCommand(
  worktree: string,
  [program = '', ...args]: readonly string[],
  { root, ...options }: CommandOptions,
): Promise<SandboxResult> {
  const node = realpathSync(process.execPath);
  const prefix = dirname(dirname(node));
  const modules = join(root, 'node_modules');
  const inside = join(worktree, 'node_modules');
  const path = [join(inside, '.bin'), dirname(node), SYSTEM_PATH];
  return runSandboxed(program, args, {
    ...options,
    folder: worktree,
    environment: { PATH: path.join(':'), ...options.environment },
    readable: [node, ...['bin/npm', 'bin/npx', 'lib/node_modules'].map((name) => join(prefix, name))],
    linked: existsSync(modules) ? { [inside]: realpathSync(modules) } : {},
    hidden: [packageFolder('benchmarks'), join(inside, 'rsi-loop', 'benchmarks')],
  });
}
