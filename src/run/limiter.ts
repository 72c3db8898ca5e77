import type { StatedQuota } from '../classify/stated-quota.js';
import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { Pace, type PaceState } from './pace.js';

/** Limits that a caller applies. Callers in different arms may use different ones. */
export interface GateLimits {
  /** 0 means unlimited. */
  readonly concurrency: number;
  readonly queue: number;
  /** 0 means none. */
  readonly spacingMs: number;
  readonly burst: number;
  /** Longest wait for the provider's quota, whether for an announced reset or the learned rate; 0 means no waiting. */
  readonly resetMs: number;
}

interface Waiter {
  readonly limits: GateLimits;
  readonly sinceMs: number;
  readonly admit: () => void;
}

/** Checks of the queue's head per longest wait. The longer the head waits, the higher the rate it may use. */
const LOOKS = 20;

/**
 * Limits attempts on one model: concurrency, spacing, announced resets and the learned quota of the provider.
 * Waiting attempts queue in one bounded first-in, first-out queue. The limiter holds at most one timer.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #line: Waiter[] = [];
  #active = 0;
  /** Time at which the next attempt would be due if all so far had kept their spacing (virtual scheduling, GCRA). */
  #dueMs = 0;
  #resetMs = 0;
  /** Set after the first rejected attempt. */
  #pace: Pace | undefined;
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

  /** Returns the monotonic time until which the provider asked for no calls. */
  get resetMs(): number {
    return this.#resetMs;
  }

  /** Returns the learned quota of the provider; `undefined` while unknown. */
  get pace(): PaceState | undefined {
    return this.#pace?.state;
  }

  /** Counts an attempt that no limit applies to. */
  pass(): void {
    this.#active++;
    this.#pace?.begin(this.#clock.monotonic(), false);
  }

  /** Records that the provider rejected an attempt because of its quota, with the announced wait if there is one. */
  refused(startMs: number, nowMs: number, announcedMs: number | undefined): void {
    if (this.#pace === undefined) this.#pace = new Pace(nowMs);
    else this.#pace.refuse(startMs, nowMs);
    if (announcedMs !== undefined) this.#pace.announce(announcedMs);
  }

  /** Takes the quota that the provider states with the answer of an attempt that has not left yet. */
  learn(quota: StatedQuota): void {
    const nowMs = this.#clock.monotonic();
    this.#pace ??= new Pace(nowMs);
    this.#pace.learn(quota, nowMs, Math.max(0, this.#active - 1));
  }

  /** Restores the quota that another process learned. */
  learned(pace: PaceState): void {
    this.#pace = new Pace(this.#clock.monotonic(), pace);
  }

  /**
   * Resolves when the attempt may start. Waits at most `timeoutMs` (0: no limit).
   * @throws LoopError `queue-full` or `timed-out`, or the signal's reason if it aborts first.
   */
  async enter(limits: GateLimits, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const sinceMs = this.#clock.monotonic();
    if (this.#line.length === 0 && this.#waitMs(limits, sinceMs) === 0) {
      this.#begin(limits, false);
      return;
    }
    if (this.#line.length >= limits.queue) {
      throw new LoopError(
        'queue-full',
        `${this.#name} has ${this.#line.length} attempts waiting (limit.queue ${limits.queue}): send fewer tasks in parallel or raise limit.concurrency`,
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
        sinceMs,
        admit: () => {
          free();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#line.push(waiter);
      this.#pump();
    });
  }

  /** Counts the end of an attempt and admits waiting ones. */
  leave(): void {
    this.#active--;
    if (this.#active === 0) this.#pace?.rest(this.#clock.monotonic());
    this.#pump();
  }

  /** Records the announced reset. It applies immediately to every caller of this model. */
  announceReset(resetMs: number): void {
    this.#resetMs = Math.max(this.#resetMs, resetMs);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (let head = this.#line[0]; head !== undefined; head = this.#line[0]) {
      const waitMs = this.#waitMs(head.limits, head.sinceMs);
      if (waitMs === Number.POSITIVE_INFINITY) return;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#pump());
        return;
      }
      this.#line.shift();
      this.#begin(head.limits, true);
      head.admit();
    }
  }

  /** Returns how long an attempt with these limits has to wait; infinity means until another one ends. */
  #waitMs(limits: GateLimits, sinceMs: number): number {
    if (limits.concurrency > 0 && this.#active >= limits.concurrency) return Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonic();
    const untilReset = this.#resetMs - nowMs;
    const untilDue = limits.spacingMs > 0 ? this.#dueMs - (limits.burst - 1) * limits.spacingMs - nowMs : 0;
    const untilPaced = this.#untilPaced(limits.resetMs, nowMs, sinceMs);
    return Math.max(0, untilReset <= limits.resetMs ? untilReset : 0, untilDue, untilPaced);
  }

  /**
   * Returns the wait for the learned rate, at most `mostMs` in total. After that the provider may reject the call
   * itself.
   */
  #untilPaced(mostMs: number, nowMs: number, sinceMs: number): number {
    const leftMs = sinceMs + mostMs - nowMs;
    if (this.#pace === undefined || leftMs <= 0) return 0;
    return Math.min(this.#pace.waitMs(nowMs, 1 - leftMs / mostMs), leftMs, Math.ceil(mostMs / LOOKS));
  }

  #begin(limits: GateLimits, hasWaited: boolean): void {
    this.#active++;
    const nowMs = this.#clock.monotonic();
    this.#pace?.begin(nowMs, hasWaited);
    this.#dueMs = Math.max(this.#dueMs, nowMs) + limits.spacingMs;
  }
}
