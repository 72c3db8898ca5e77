import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ProcessGroups } from 'rsi-loop/oversee';

/** Thread or process that takes messages. */
export interface Lane {
  /** Sends plain JSON. A lane that has ended ignores it. */
  post(message: unknown): void;
  /** Ends it immediately, with every process that it started. */
  kill(): void;
  /** Sets whether it keeps this process alive. */
  keepAlive(keeps: boolean): void;
}

export interface LaneEvents {
  readonly onMessage: (message: unknown) => void;
  /** Called once, when it has ended. `how` describes the end: `exit code 1`, `out of memory`. */
  readonly onEnd: (how: string, cause?: unknown) => void;
}

export interface LaneOptions {
  /** Largest heap, in megabytes. A lane that exceeds it ends. Default: Node's own. */
  readonly memoryMb?: number;
  /** Options of Node, such as `['--import', 'tsx']`. Default: those of this process. */
  readonly execArgv?: readonly string[];
}

/** Starts a file as a thread. */
export function startThread(file: string | URL, options: LaneOptions, { onMessage, onEnd }: LaneEvents): Lane {
  const { memoryMb, execArgv } = options;
  const thread = new Worker(file, {
    ...(memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMb } }),
    ...(execArgv && { execArgv: [...execArgv] }),
  });
  let failure: { readonly how: string; readonly cause?: unknown } | undefined;
  thread.on('message', onMessage);
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    failure = isMemory ? { how: outOf(memoryMb) } : { how: `it threw ${error.message}`, cause: error };
  });
  thread.on('exit', (code) => onEnd(failure?.how ?? `exit code ${code}`, failure?.cause));
  return {
    post: (message) => thread.postMessage(message),
    kill: () => void thread.terminate(),
    keepAlive: (keeps) => (keeps ? thread.ref() : thread.unref()),
  };
}

/** Starts a file as a process that leads its own group. */
export function startProcess(file: string | URL, options: LaneOptions, { onMessage, onEnd }: LaneEvents): Lane {
  const { memoryMb, execArgv = process.execArgv } = options;
  const groups = new ProcessGroups();
  const limit = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
  const path = typeof file === 'string' ? file : fileURLToPath(file);
  const child = groups.spawn(process.execPath, [...execArgv, ...limit, path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let hasEnded = false;
  const end = (how: string, cause?: unknown) => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(how, cause);
  };
  child.on('message', onMessage);
  child.on('error', (error) => end(error.message, error));
  child.on('exit', (code, signal) => {
    // V8 aborts at its limit.
    const isMemory = memoryMb !== undefined && (signal === 'SIGABRT' || code === 134);
    end(isMemory ? outOf(memoryMb) : signal === null ? `exit code ${code}` : `signal ${signal}`);
  });
  return {
    post: (message) => {
      // The end is reported by `exit`.
      if (child.connected) child.send(message as object, () => undefined);
    },
    kill: () => groups.kill('SIGKILL'),
    keepAlive: (keeps) => {
      if (keeps) child.ref();
      else child.unref();
      // The channel of a process keeps its parent alive too.
      const { channel } = child;
      if (keeps) channel?.ref();
      else channel?.unref();
    },
  };
}

function outOf(memoryMb: number | undefined): string {
  return memoryMb === undefined ? 'out of memory' : `out of memory: its limit is ${memoryMb} MB`;
}
