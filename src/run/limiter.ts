import { LoopError } from '../errors.js';
import type { Clock } from '../ports.js';

/** What a caller asks of the gate; callers in different arms may ask differently. */
export interface GateLimits {
  /** 0 means any number. */
  readonly concurrency: number;
  readonly queue: number;
  /** 0 means none. */
  readonly spacingMs: number;
  readonly burst: number;
  /** Longest wait for an announced reset; 0 means it does not wait for one. */
  readonly resetMs: number;
}

interface Waiter {
  readonly limits: GateLimits;
  readonly admit: () => void;
}

/**
 * The gate in front of one model: at most so many attempts in flight, spaced out, none before an announced reset.
 * Who has to wait stands in one bounded line, first come first served. It holds at most one timer.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #line: Waiter[] = [];
  #active = 0;
  /** When the next attempt would be due if all so far had kept their spacing (virtual scheduling, GCRA). */
  #dueMs = 0;
  #resetMs = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, name: string) {
    this.#clock = clock;
    this.#name = name;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Monotonic time before which the provider asked not to be called. */
  get resetMs(): number {
    return this.#resetMs;
  }

  /** Counts an attempt that no limit holds up. */
  pass(): void {
    this.#active++;
  }

  /**
   * Resolves when the attempt may begin; waits at most `timeoutMs` (0: any time).
   * @throws LoopError `queue-full` or `timed-out`, or the signal's reason when it aborts first.
   */
  async enter(limits: GateLimits, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#line.length === 0 && this.#waitMs(limits) === 0) {
      this.#begin(limits);
      return;
    }
    if (this.#line.length >= limits.queue) {
      throw new LoopError(
        'queue-full',
        `${this.#name} has ${this.#line.length} attempts waiting (limit.queue ${limits.queue}): send fewer tasks at once or raise limit.concurrency`,
      );
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        free();
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(reason);
        this.#pump();
      };
      const onAbort = () => leave(signal?.reason);
      const onTimeout = () =>
        leave(new LoopError('timed-out', `${this.#name} had no place for a task within its ${timeoutMs} ms`));
      const cancelTimer = timeoutMs > 0 ? this.#clock.after(timeoutMs, onTimeout) : undefined;
      const free = () => {
        cancelTimer?.();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        limits,
        admit: () => {
          free();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#line.push(waiter);
      this.#pump();
    });
  }

  /** An attempt ended. */
  leave(): void {
    this.#active--;
    if (this.#line.length > 0) this.#pump();
  }

  /** The provider said when it will answer again; every caller of this model learns it at once. */
  announceReset(resetMs: number): void {
    this.#resetMs = Math.max(this.#resetMs, resetMs);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let head = this.#line[0]; head !== undefined; head = this.#line[0]) {
      const waitMs = this.#waitMs(head.limits);
      if (waitMs === Number.POSITIVE_INFINITY) return;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#pump());
        return;
      }
      this.#line.shift();
      this.#begin(head.limits);
      head.admit();
    }
  }

  /** How long an attempt with these limits has to wait now; for ever means: until another one ends. */
  #waitMs(limits: GateLimits): number {
    if (limits.concurrency > 0 && this.#active >= limits.concurrency) return Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonic();
    const untilReset = this.#resetMs - nowMs;
    const untilDue = limits.spacingMs > 0 ? this.#dueMs - (limits.burst - 1) * limits.spacingMs - nowMs : 0;
    return Math.max(0, untilReset <= limits.resetMs ? untilReset : 0, untilDue);
  }

  #begin(limits: GateLimits): void {
    this.#active++;
    if (limits.spacingMs > 0) this.#dueMs = Math.max(this.#dueMs, this.#clock.monotonic()) + limits.spacingMs;
  }
}
