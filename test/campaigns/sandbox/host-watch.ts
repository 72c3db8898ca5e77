import { readdirSync, readFileSync } from 'node:fs';
import { LoopMeter, type LoopTimes } from '../loop-meter.js';

/** Most that programs took of this process. */
export interface HostFigures {
  readonly latestMs: number;
  readonly busyMs: number;
  readonly blockedMs: number;
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly processes: number;
}

const MEMORY_EVERY_MS = 10;

/** Watches this process while programs run: its event loop, memory, open files and children. */
export class HostWatch {
  readonly #meter = new LoopMeter();
  readonly #from = { memory: process.memoryUsage().rss, descriptors: count('/proc/self/fd'), processes: children() };
  #most = { latestMs: 0, busyMs: 0, blockedMs: 0, memory: 0 };

  /** Runs one program, and takes down its times. */
  async during<Value>(run: () => Promise<Value>): Promise<{ readonly value: Value; readonly times: LoopTimes }> {
    this.#meter.start();
    const timer = setInterval(() => this.#noteMemory(), MEMORY_EVERY_MS);
    const value = await run();
    clearInterval(timer);
    this.#noteMemory();
    const times = this.#meter.stop();
    this.#most.busyMs = Math.max(this.#most.busyMs, times.busyMs);
    this.#most.blockedMs = Math.max(this.#most.blockedMs, times.blockedMs);
    return { value, times };
  }

  noteLate(lateMs: number): void {
    this.#most.latestMs = Math.max(this.#most.latestMs, lateMs);
  }

  figures(): HostFigures {
    const { memory, ...times } = this.#most;
    return {
      ...times,
      memoryMb: memory / 2 ** 20,
      descriptors: count('/proc/self/fd') - this.#from.descriptors,
      processes: children() - this.#from.processes,
    };
  }

  #noteMemory(): void {
    this.#most.memory = Math.max(this.#most.memory, process.memoryUsage().rss - this.#from.memory);
  }
}

/** Returns how many entries a folder has; 0 where there is none. */
function count(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

function children(): number {
  return count('/proc/self/task') > 0 ? childrenOf(process.pid) : 0;
}

function childrenOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim())
    .flatMap((list) => (list === '' ? [] : list.split(' ')))
    .filter((child) => !isCompiler(child)).length;
}

/** The compiler of these sources, which each thread that reads a changed source starts. Threads that end leave it unreaped. */
function isCompiler(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'esbuild';
  } catch {
    return true; // it is gone
  }
}

/** Attempts at a run that ended late: a busy machine delays one of them, a limit that does not hold each of them. */
const ATTEMPTS = 3;

/** Runs a program again while it ends late, and returns its last end. */
export async function withoutLag<End>(run: () => Promise<End>, isLate: (end: End) => boolean): Promise<End> {
  let end = await run();
  for (let attempt = 1; attempt < ATTEMPTS && isLate(end); attempt++) end = await run();
  return end;
}
