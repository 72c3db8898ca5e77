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

/** What the child printed, when it has ended. */
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

export function runNode(args: readonly string[], options: RunOptions & { readonly stdin?: string }): Promise<Ended> {
  const child = startNode(args, options);
  child.stdin.end(options.stdin ?? '');
  return ended(child);
}
