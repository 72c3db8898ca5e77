import type { StatedQuota } from '../classify/stated-quota.js';
import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { markLimit } from './loop-limits.js';
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

/** How an attempt began: under limits, or past them. Its end must say the same. */
export type Admission = 'limited' | 'passed';

/** Conditions of a wait that may change while it lasts. */
export interface WaitTerms {
  /** Returns the limits in force now; undefined if none apply. Default: the limits at the start of the wait. */
  readonly limitsNow?: () => GateLimits | undefined;
  /** Longest wait under these limits, in milliseconds. Afterwards `own` applies. Default: no bound. */
  readonly mostMs?: number;
  /** Limits that apply after `mostMs`. Default: none. */
  readonly own?: GateLimits | undefined;
}

interface Waiter {
  limits: GateLimits;
  readonly sinceMs: number;
  /** Attempts without limits that began before this one. Later ones must not keep it waiting. */
  readonly passedBefore: number;
  limitsNow: (() => GateLimits | undefined) | undefined;
  readonly admit: (how: Admission) => void;
}

/** Kinds of limits that an earlier waiting attempt is held by, so that later ones do not overtake it. */
interface Held {
  concurrency: boolean;
  spacing: boolean;
  quota: boolean;
}

/** Checks of the queue's head per longest wait. The longer the head waits, the higher the rate it may use. */
const LOOKS = 20;

/**
 * Limits attempts on one model: concurrency, spacing, announced resets and the learned quota of the provider.
 * Waiting attempts are in one bounded queue. An attempt overtakes another one only if no limit applies to both.
 * The limits of a waiting attempt are looked up again at `recheck`. The limiter holds at most one timer of its own.
 */
export class Limiter {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #line: Waiter[] = [];
  /** Running attempts that began under limits. */
  #limited = 0;
  /** Attempts without limits that began and ended so far. */
  #passed = 0;
  #passedEnds = 0;
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
    return this.#limited + this.#passed - this.#passedEnds;
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
    this.#passed++;
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
    this.#pace.learn(quota, nowMs, Math.max(0, this.active - 1));
  }

  /** Restores the quota that another process learned. */
  learned(pace: PaceState): void {
    this.#pace = new Pace(this.#clock.monotonic(), pace);
  }

  /**
   * Resolves when the attempt may start, with the way in which it began. Waits at most `timeoutMs` (0: no limit).
   * @throws LoopError `queue-full` or `timed-out`, or the signal's reason if it aborts first.
   */
  async enter(
    limits: GateLimits,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    { limitsNow, mostMs = Number.POSITIVE_INFINITY, own }: WaitTerms = NO_TERMS,
  ): Promise<Admission> {
    signal?.throwIfAborted();
    const sinceMs = this.#clock.monotonic();
    if (this.#line.length === 0 && this.#waitMs({ limits, sinceMs, passedBefore: this.#passed }) === 0) {
      this.#begin(limits, false);
      return 'limited';
    }
    return new Promise<Admission>((resolve, reject) => {
      const leave = (reason: unknown) => {
        free();
        this.#line.splice(this.#line.indexOf(waiter), 1);
        reject(reason);
        this.#pump();
      };
      const onAbort = () => leave(signal?.reason);
      const onTimeout = () => leave(markLimit(new LoopError('timed-out', this.#noPlace(timeoutMs))));
      const cancelTimer = timeoutMs > 0 ? this.#clock.after(timeoutMs, onTimeout) : undefined;
      const onSpent = () => {
        waiter.limitsNow = () => own;
        this.recheck();
      };
      const cancelSpent = Number.isFinite(mostMs) ? this.#clock.after(mostMs, onSpent) : undefined;
      const free = () => {
        cancelTimer?.();
        cancelSpent?.();
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        limits,
        sinceMs,
        passedBefore: this.#passed,
        limitsNow,
        admit: (how) => {
          free();
          resolve(how);
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#line.push(waiter);
      this.#pump();
      const ahead = this.#line.indexOf(waiter);
      if (ahead >= limits.queue) leave(this.#queueFull(ahead, limits));
    });
  }

  /** Looks up the limits of all waiting attempts again, and admits those that may start. */
  recheck(): void {
    if (this.#line.length === 0) return;
    const waiting = this.#line.splice(0);
    for (const waiter of waiting) {
      if (waiter.limitsNow === undefined) this.#line.push(waiter);
      else this.#look(waiter, waiter.limitsNow());
    }
    this.#pump();
  }

  /** Counts the end of an attempt and admits waiting ones. */
  leave(how: Admission = 'limited'): void {
    if (how === 'limited') this.#limited--;
    else this.#passedEnds++;
    if (this.active === 0) this.#pace?.rest(this.#clock.monotonic());
    this.#pump();
  }

  /** Records the announced reset. It applies immediately to every caller of this model. */
  announceReset(resetMs: number): void {
    this.#resetMs = Math.max(this.#resetMs, resetMs);
  }

  #noPlace(timeoutMs: number): string {
    return `${this.#name} had no place for a task within its ${Math.max(1, Math.round(timeoutMs))} ms: ${OWN_LIMITS}`;
  }

  #queueFull(waiting: number, { queue }: GateLimits): LoopError {
    const message = `${this.#name} has ${waiting} attempts waiting (limit.queue ${queue}): ${OWN_LIMITS}`;
    return markLimit(new LoopError('queue-full', message));
  }

  #look(waiter: Waiter, limits: GateLimits | undefined): void {
    if (limits === undefined) {
      this.pass();
      waiter.admit('passed');
      return;
    }
    waiter.limits = limits;
    this.#line.push(waiter);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const held: Held = { concurrency: false, spacing: false, quota: false };
    let nextMs = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#line.length; ) {
      const waiter = this.#line[index] as Waiter; // below the length
      const waitMs = isHeld(waiter.limits, held) ? Number.POSITIVE_INFINITY : this.#waitMs(waiter);
      if (waitMs > 0) {
        hold(waiter.limits, held);
        nextMs = Math.min(nextMs, waitMs);
        index++;
        if (held.concurrency && held.spacing && held.quota) break;
      } else {
        this.#line.splice(index, 1);
        this.#begin(waiter.limits, true);
        waiter.admit('limited');
      }
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#cancelTimer = this.#clock.after(nextMs, () => this.#pump());
  }

  /** Returns how long an attempt still has to wait; infinity means until another one ends. */
  #waitMs({ limits, sinceMs, passedBefore }: Pick<Waiter, 'limits' | 'sinceMs' | 'passedBefore'>): number {
    const running = this.#limited + Math.max(0, passedBefore - this.#passedEnds);
    if (limits.concurrency > 0 && running >= limits.concurrency) return Number.POSITIVE_INFINITY;
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
    this.#limited++;
    const nowMs = this.#clock.monotonic();
    this.#pace?.begin(nowMs, hasWaited);
    this.#dueMs = Math.max(this.#dueMs, nowMs) + limits.spacingMs;
  }
}

/** Only limits of the host refuse work: a queue of a fix gives way to them. */
const OWN_LIMITS =
  'send fewer tasks in parallel, or raise limit.concurrency, limit.queue or limit.resetMs in your own policy';
const NO_TERMS: WaitTerms = {};

/** Returns whether an earlier attempt waits for a limit that applies to this one too. */
function isHeld({ concurrency, spacingMs, resetMs }: GateLimits, held: Held): boolean {
  return (held.concurrency && concurrency > 0) || (held.spacing && spacingMs > 0) || (held.quota && resetMs > 0);
}

function hold({ concurrency, spacingMs, resetMs }: GateLimits, held: Held): void {
  held.concurrency ||= concurrency > 0;
  held.spacing ||= spacingMs > 0;
  held.quota ||= resetMs > 0;
}
