import { spawn } from 'node:child_process';
import { LoopError } from 'rsi-loop';
import { recordedText } from 'rsi-loop/kit';

export interface GitCall {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes that are results too. Default: 0 only. */
  readonly codes?: readonly number[];
}

export interface GitOutput {
  readonly stdout: string;
  readonly code: number;
}

/** Settings that override any configuration: no hook, helper or transfer runs. */
const SAFE: readonly string[] = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.allow=never'],
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'submodule.recurse=false'],
];

/** Runs `git` in one repository, with a fixed environment: no variable of the host redirects it. */
export class Git {
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;

  /** @param options.config Whether the configuration of the user and the machine is read. */
  constructor(folder: string, options: { readonly config: boolean }) {
    this.#folder = folder;
    const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME = '/', XDG_CONFIG_HOME } = process.env;
    this.#environment = {
      PATH,
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_LITERAL_PATHSPECS: '1',
      ...(options.config
        ? { HOME, ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }) }
        : { HOME: '/', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' }),
    };
  }

  /**
   * Returns the output of a command.
   * @throws LoopError `missing-peer` without git, `workspace-failed` with what git reported.
   */
  async run(args: readonly string[], call: GitCall = {}): Promise<string> {
    return (await this.call(args, call)).stdout;
  }

  /** Does the same as `run`, and returns the exit code too. */
  call(args: readonly string[], { input = '', environment, codes = [0] }: GitCall = {}): Promise<GitOutput> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', [...SAFE, ...args], {
        cwd: this.#folder,
        env: { ...this.#environment, ...environment },
        stdio: 'pipe',
      });
      const output: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
      child.stdin.on('error', () => undefined); // it may end before it has read everything
      child.stdin.end(input);
      child.on('error', (cause) => reject(failed(args, `${cause.message}: install git`, 'missing-peer')));
      child.on('close', (code) => {
        if (code !== null && codes.includes(code)) {
          resolve({ stdout: Buffer.concat(output).toString('utf8'), code });
        } else reject(failed(args, Buffer.concat(errors).toString('utf8') || `it ended with ${code}`));
      });
    });
  }
}

function failed(args: readonly string[], why: string, code: 'missing-peer' | 'workspace-failed' = 'workspace-failed') {
  return new LoopError(code, `git ${args[0]} failed: ${recordedText(why, 400)}`);
}
