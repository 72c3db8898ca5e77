/** Runs command lines of `rsi` one after another in this process. `run-command.ts` sends them. */
import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { formatWithOptions } from 'node:util';
import { runProgram } from '../../../integrations/cli/program.js';
import type { Ended } from '../../run-node.js';

export interface CommandLine {
  /** File that the command seems to be started from. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

/** Output of a command, which is no terminal. */
class Capture extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function run({ command, args, cwd, env, stdin }: CommandLine): Promise<Ended> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, command, ...args];
  const stdout = new Capture();
  const stderr = new Capture();
  const streams = { stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]), stdout, stderr };
  for (const [name, value] of Object.entries(streams)) Object.defineProperty(process, name, { value, writable: true });
  globalThis.console = new Console(stdout, stderr);
  process.exitCode = undefined;
  const leave = new Promise<number>((left) => {
    process.exit = ((code?: number) => {
      left(code ?? Number(process.exitCode ?? 0));
      return new Promise(() => {});
    }) as unknown as typeof process.exit; // no code after it is meant to run
  });
  const failed = (error: unknown) => {
    stderr.write(formatWithOptions({ colors: false }, '%s\n', error));
    return 1;
  };
  const code = await Promise.race([leave, runProgram().then(() => Number(process.exitCode ?? 0), failed)]);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

process.on('message', async (line: CommandLine) => process.send?.(await run(line)));
process.on('disconnect', () => process.kill(process.pid));
