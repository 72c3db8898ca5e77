import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { type Ended, type RunOptions, runNode } from '../../run-node.js';
import { bundleAll } from './build-command.js';
import type { CommandLine } from './warm-host.js';

const hosts = new Map<string, Promise<ChildProcess>>();
let last: Promise<unknown> = Promise.resolve();

/** Less than the time that a test may take. */
const HANGS_AFTER_MS = 150_000;

/**
 * Runs a command line of the `rsi` that `buildCommand` has built, as `runNode` does, but in one process for the whole test file:
 * the start of a process takes twenty times as long as a report. Use `runNode` for signals, for a terminal, for programs
 * and configurations that change between two runs, and for what depends on the end of the process.
 */
export function runCommand(
  [command = '', ...args]: readonly string[],
  { cwd, env: given, stdin = '' }: RunOptions & { readonly stdin?: string },
): Promise<Ended> {
  // It loads next to nothing, and writes to the files of the process.
  if (args[0] === 'hook') return runNode([command, ...args], { cwd, env: given ?? {}, stdin });
  const env = Object.fromEntries(
    Object.entries({ ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...given }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value]]),
    ),
  );
  const line: CommandLine = { command, args, cwd, env, stdin };
  const ended = last.then(async () => answer(await hostOf(dirname(command)), line));
  last = ended.catch(() => {});
  return ended;
}

function hostOf(folder: string): Promise<ChildProcess> {
  const found = hosts.get(folder) ?? startHost(folder);
  hosts.set(folder, found);
  return found;
}

async function startHost(folder: string): Promise<ChildProcess> {
  const program = await bundleAll(resolve(import.meta.dirname, 'warm-host.ts'), join(folder, 'warm-host.mjs'));
  const host = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  host.once('exit', () => hosts.delete(folder));
  // It ends with the process of the tests.
  host.unref();
  host.channel?.unref();
  return host;
}

function answer(host: ChildProcess, line: CommandLine): Promise<Ended> {
  return new Promise((done, fail) => {
    const onExit = (code: number | null, signal: string | null) => {
      clearTimeout(limit);
      fail(new Error(`the process of ${line.args.join(' ')} ended with ${code ?? signal}`));
    };
    host.once('exit', onExit);
    host.channel?.ref();
    // One command that hangs must not hold up all others of the file.
    const limit = setTimeout(() => host.kill('SIGKILL'), HANGS_AFTER_MS);
    host.once('message', (ended: Ended) => {
      clearTimeout(limit);
      host.off('exit', onExit);
      host.channel?.unref();
      done(ended);
    });
    host.send(line);
  });
}
