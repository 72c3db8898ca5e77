import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { Pace, type PaceState } from './pace.js';

/** What a caller asks of the gate; callers in different arms may ask differently. */
export interface GateLimits {
  /** 0 means any number. */
  readonly concurrency: number;
  readonly queue: number;
  /** 0 means none. */
  readonly spacingMs: number;
  readonly burst: number;
  /** Longest wait for the provider's quota: for a reset that it announced, or for the pace it grants; 0 means none. */
  readonly resetMs: number;
}

interface Waiter {
  readonly limits: GateLimits;
  readonly sinceMs: number;
  readonly admit: () => void;
}

/** Parts of its longest wait after which the head of the line is looked at again: the longer it waits, the sooner it goes. */
const LOOKS = 20;

/**
 * The gate in front of one model: at most so many attempts in flight, spaced out, none before an announced reset, and no
 * more than the provider turned out to grant.
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
  /** Known from the first refusal on. */
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

  /** Monotonic time before which the provider asked not to be called. */
  get resetMs(): number {
    return this.#resetMs;
  }

  /** What was learned of the provider's quota. */
  get pace(): PaceState | undefined {
    return this.#pace?.state;
  }

  /** Counts an attempt that no limit holds up. */
  pass(): void {
    this.#active++;
    this.#pace?.begin(this.#clock.monotonic(), false);
  }

  /** The provider refused an attempt for its quota, and may have announced when it takes the next one. */
  refused(startMs: number, nowMs: number, announcedMs: number | undefined): void {
    if (this.#pace === undefined) this.#pace = new Pace(nowMs);
    else this.#pace.refuse(startMs, nowMs);
    if (announcedMs !== undefined) this.#pace.announce(announcedMs);
  }

  /** Takes over what another process had learned of the quota. */
  learned(pace: PaceState): void {
    this.#pace = new Pace(this.#clock.monotonic(), pace);
  }

  /**
   * Resolves when the attempt may begin; waits at most `timeoutMs` (0: any time).
   * @throws LoopError `queue-full` or `timed-out`, or the signal's reason when it aborts first.
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
        sinceMs,
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
    if (this.#active === 0) this.#pace?.rest(this.#clock.monotonic());
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

  /** How long an attempt with these limits has to wait now; for ever means: until another one ends. */
  #waitMs(limits: GateLimits, sinceMs: number): number {
    if (limits.concurrency > 0 && this.#active >= limits.concurrency) return Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonic();
    const untilReset = this.#resetMs - nowMs;
    const untilDue = limits.spacingMs > 0 ? this.#dueMs - (limits.burst - 1) * limits.spacingMs - nowMs : 0;
    const untilPaced = limits.resetMs > 0 ? this.#untilPaced(limits.resetMs, nowMs, sinceMs) : 0;
    return Math.max(0, untilReset <= limits.resetMs ? untilReset : 0, untilDue, untilPaced);
  }

  /** Nobody waits longer than `mostMs` for the pace: then the provider may say no itself, as it would without a limit. */
  #untilPaced(mostMs: number, nowMs: number, sinceMs: number): number {
    const leftMs = sinceMs + mostMs - nowMs;
    if (this.#pace === undefined || leftMs <= 0) return 0;
    return Math.min(this.#pace.waitMs(nowMs, 1 - leftMs / mostMs), leftMs, Math.ceil(mostMs / LOOKS));
  }

  #begin(limits: GateLimits, hasWaited: boolean): void {
    this.#active++;
    this.#pace?.begin(this.#clock.monotonic(), hasWaited);
    if (limits.spacingMs > 0) this.#dueMs = Math.max(this.#dueMs, this.#clock.monotonic()) + limits.spacingMs;
  }
}
