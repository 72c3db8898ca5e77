import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts this Node in a child process whose streams are pipes. */
export function startNode(args: readonly string[], { cwd, env }: RunOptions): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
  });
  child.stdin.on('error', () => {}); // it may end before it has read everything
  return child;
}

/** Output of the child, when it has ended. */
export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  return new Promise((done, fail) => {
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] += chunk;
      });
    }
    child.on('error', fail).on('close', (code) => done({ code, ...text }));
  });
}

export interface Running {
  /** Output up to the sign that it is ready. */
  readonly printed: string;
  /** Presses Ctrl-C. */
  interrupt(): Promise<Ended>;
}

/** Starts a command that runs until it is stopped, and waits for its line on how to stop it: `Ctrl-C`. */
export async function startUntilReady(args: readonly string[], options: RunOptions): Promise<Running> {
  const child = startNode(args, options);
  const end = ended(child);
  let printed = '';
  child.stdout.on('data', (chunk: string) => {
    printed += chunk;
  });
  while (!printed.includes('Ctrl-C')) {
    await Promise.race([
      new Promise((resolve) => child.stdout.once('data', resolve)),
      end.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
  }
  return {
    printed,
    interrupt: () => {
      child.kill('SIGINT');
      return end;
    },
  };
}

export function runNode(args: readonly string[], options: RunOptions & { readonly stdin?: string }): Promise<Ended> {
  const child = startNode(args, options);
  child.stdin.end(options.stdin ?? '');
  return ended(child);
}
