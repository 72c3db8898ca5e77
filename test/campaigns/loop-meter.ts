import { readFileSync } from 'node:fs';

/** Interval of the ticks. A loop that is never blocked shows about this much between two. */
const TICK_MS = 2;

/** Longest times between two ticks of an event loop. */
export interface LoopTimes {
  /** Work of the thread itself. Linux only. */
  readonly busyMs: number;
  /** All but waits for a processor that other processes had. */
  readonly blockedMs: number;
  /** Waits for a processor, in all. Linux only. */
  readonly waitedMs: number;
}

/** Measures for how long this thread kept its event loop busy, also on a machine with other work. */
export class LoopMeter {
  #timer: NodeJS.Timeout | undefined;
  #last = now();
  #times = { busyMs: 0, blockedMs: 0, waitedMs: 0 };

  start(): void {
    this.#times = { busyMs: 0, blockedMs: 0, waitedMs: 0 };
    this.#last = now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): LoopTimes {
    this.#tick();
    clearInterval(this.#timer);
    return this.#times;
  }

  #tick(): void {
    const at = now();
    const last = this.#last;
    const waitedMs = at.waitedMs - last.waitedMs;
    this.#times.busyMs = Math.max(this.#times.busyMs, at.ranMs - last.ranMs);
    this.#times.blockedMs = Math.max(this.#times.blockedMs, at.atMs - last.atMs - waitedMs - TICK_MS);
    this.#times.waitedMs += waitedMs;
    this.#last = at;
  }
}

/** First two numbers of `schedstat`: time on a processor, and time ready for one; see proc(5). */
function now(): { readonly atMs: number; readonly ranMs: number; readonly waitedMs: number } {
  let [ran, waited] = [0, 0];
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    [ran = 0, waited = 0] = text.split(' ').map(Number);
  } catch {
    // Not Linux.
  }
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6, atMs: performance.now() };
}
