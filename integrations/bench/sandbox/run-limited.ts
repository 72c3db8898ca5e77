import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { type Clock, SystemClock } from 'rsi-loop';
import { describeThrown } from 'rsi-loop/kit';
import { memoryOf } from './memory-watch.js';
import { SYSTEM_PATH } from './namespaces.js';
import type { SandboxSettings } from './sandbox-options.js';

/** End of a command, with what it wrote. */
export interface Ended {
  /** `exit`: not killed, with `code` or `signal`. Otherwise the limit it was killed for, or `stopped` by the caller. */
  readonly ended: 'exit' | 'timed-out' | 'memory' | 'output' | 'stopped';
  readonly code?: number;
  readonly signal?: string;
  /** The first `maxOutputBytes` of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly channel: string;
  readonly durationMs: number;
}

/** `status` is the text that the setup of the sandbox wrote. */
export type EndedWithStatus = Ended & { readonly status: string };

const MEMORY_EVERY_MS = 50;
/** Time for streams to close after the end: a process that escaped may hold them open. */
const STREAMS_MS = 500;
const STREAMS = ['stdout', 'stderr', 'channel', 'status'] as const;

/** Runs a program in its own process group, and kills the group at a limit and at the end. */
export function runLimited(
  program: string,
  args: readonly string[],
  settings: SandboxSettings,
  home: string,
  folder: string,
): Promise<EndedWithStatus> {
  return new LimitedRun(program, args, settings, home, folder).done;
}

class LimitedRun {
  readonly done: Promise<EndedWithStatus>;
  readonly #clock: Clock = new SystemClock();
  readonly #settings: SandboxSettings;
  readonly #child: ChildProcess;
  readonly #startedMs = this.#clock.monotonic();
  readonly #written = new Map<string, { chunks: Buffer[]; bytes: number }>();
  #killedFor: Ended['ended'] | undefined;
  #isOver = false;
  #cancelWatch: () => void = () => undefined;

  constructor(program: string, args: readonly string[], settings: SandboxSettings, home: string, folder: string) {
    this.#settings = settings;
    this.#child = spawn(program, args, {
      cwd: folder,
      env: {
        PATH: SYSTEM_PATH,
        HOME: home,
        TMPDIR: home,
        LANG: 'C.UTF-8',
        ...settings.environment,
      },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    for (const [index, name] of STREAMS.entries()) this.#read(name, this.#child.stdio[index + 1] as Readable); // pipes
    this.#child.stdin?.on('error', () => undefined); // it may end before it has read everything
    this.#child.stdin?.end(settings.input ?? '');
    this.done = this.#wait();
  }

  #read(name: string, stream: Readable): void {
    const written = { chunks: [] as Buffer[], bytes: 0 };
    this.#written.set(name, written);
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      const left = this.#settings.maxOutputBytes - written.bytes;
      if (left > 0) written.chunks.push(chunk.subarray(0, left));
      written.bytes += chunk.length;
      if (chunk.length > left) this.#kill('output');
    });
  }

  async #wait(): Promise<EndedWithStatus> {
    const { timeoutMs, signal } = this.#settings;
    const cancelTimeout = this.#clock.after(timeoutMs, () => this.#kill('timed-out'));
    const stop = () => this.#kill('stopped');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    this.#watchMemory();
    const [code, ended] = await this.#ending();
    this.#isOver = true;
    const durationMs = this.#clock.monotonic() - this.#startedMs;
    cancelTimeout();
    signal?.removeEventListener('abort', stop);
    this.#cancelWatch();
    return {
      ended: this.#killedFor ?? 'exit',
      ...(this.#killedFor === undefined && exitOf(code, ended)),
      stdout: this.#text('stdout'),
      stderr: this.#text('stderr'),
      channel: this.#text('channel'),
      durationMs,
      status: this.#text('status'),
    };
  }

  /** Resolves when the program ended and its streams are read. */
  #ending(): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
    return new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.#written.get('stderr')?.chunks.push(Buffer.from(describeThrown(error)));
        resolve([127, null]);
      });
      this.#child.on('exit', (code, signal) => {
        this.#killGroup();
        const cancel = this.#clock.after(STREAMS_MS, () => {
          for (const stream of this.#child.stdio) stream?.destroy();
          resolve([code, signal]);
        });
        this.#child.on('close', () => {
          cancel();
          resolve([code, signal]);
        });
      });
    });
  }

  /** Kills the program when all its processes together exceed the limit. The kernel enforces a higher one for each. */
  #watchMemory(): void {
    this.#cancelWatch = this.#clock.after(MEMORY_EVERY_MS, async () => {
      const { pid } = this.#child;
      if (pid === undefined || this.#isOver) return;
      if ((await memoryOf(pid)) > this.#settings.memoryMb * 1024 * 1024) this.#kill('memory');
      if (!this.#isOver) this.#watchMemory();
    });
  }

  #kill(why: Ended['ended']): void {
    if (this.#isOver) return;
    this.#killedFor ??= why;
    this.#killGroup();
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  }

  #text(name: string): string {
    return Buffer.concat(this.#written.get(name)?.chunks ?? []).toString('utf8');
  }
}

/** Shells report a signal as 128 plus its number. */
function exitOf(code: number | null, signal: string | null): { code?: number; signal?: string } {
  if (signal !== null) return { signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128)?.[0];
  return name === undefined ? { code: code ?? 0 } : { signal: name };
}
