import { LoopError } from '../contract/errors.js';
import type { Policy } from '../contract/settings.js';
import type { Failure } from './failure.js';
import type { FixInPolicy } from './fixes-in-policy.js';
import type { Admission } from './limiter.js';
import type { Limits } from './limits.js';
import type { TimeLimit } from './loop-limits.js';
import type { ModelState } from './model-state.js';
import type { OpenTask } from './open-task.js';
import type { RunParts } from './parts.js';
import { retriesFor } from './retry.js';

/** Largest part of a task's remaining time that it waits in a queue because of fixes. */
const PART_OF_TIME = 0.25;

/**
 * Waits of one task: the back-off before an attempt, and the queue of its model. All waits that fixes cause share one
 * budget, the price of a prevented failure. Beyond it, the host's own settings apply. The settings are looked up again
 * whenever they change, so that a task goes on when the fix that it waits for is taken back.
 */
export class Waits {
  readonly #parts: RunParts;
  readonly #started: OpenTask;
  readonly #task: string;
  #policy: Policy;
  /** How the current attempt began. */
  #admission: Admission = 'passed';
  #hasCalled = false;
  /** Waits because of fixes: before the first attempt, and all of them. */
  #queuedMs = 0;
  #waitedMs = 0;

  constructor(parts: RunParts, started: OpenTask, task: string) {
    this.#parts = parts;
    this.#started = started;
    this.#task = task;
    this.#policy = started.policy;
  }

  /** Settings in force for the next attempt. */
  get policy(): Policy {
    return this.#policy;
  }

  get limits(): Limits {
    return this.#parts.limits.of(this.#policy);
  }

  /** Looks the settings up again, so that no fix that was taken back during an attempt decides about the next one. */
  refresh(): void {
    this.#policy = this.#started.policyNow();
  }

  /** Returns the longest wait before retry number `retry`: what is left of the budget, if a fix allows that retry. */
  mostDelayMs({ category }: Failure, retry: number): number {
    return this.#isOwnRetry(category, retry) ? Number.POSITIVE_INFINITY : this.#leftMs;
  }

  /** Returns the fix that set this time limit; undefined if the host did. */
  ownerOf(setting: 'timeout.attemptMs' | 'timeout.taskMs'): TimeLimit['owner'] {
    const fix = this.#fixes.timing.find(({ settings }) => settings.includes(setting));
    return fix && { setting, fix };
  }

  /**
   * Returns the time-out of an attempt after this many retries of time-outs; 0 means none. If a fix adds retries, its
   * shorter limit cuts no last attempt, so that work which takes longer than the limit can still succeed.
   */
  attemptMs(retries: number): number {
    const { attemptMs } = this.limits;
    const own = this.#parts.ownPolicy;
    const allowed = retriesFor('timeout', this.#policy);
    if (retries < allowed || allowed <= retriesFor('timeout', own)) return attemptMs;
    const ownMs = own['timeout.attemptMs'];
    return ownMs === 0 || ownMs > attemptMs ? ownMs : attemptMs;
  }

  /** Waits for the back-off before retry number `retry`. Resolves with false if no setting allows that retry any more. */
  async pause(
    delayMs: number,
    { category }: Failure,
    retry: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const isDue = () => {
      this.refresh();
      return retriesFor(category, this.#policy) >= retry;
    };
    const fixes = this.#isOwnRetry(category, retry) ? NONE : this.#fixes.delaying;
    return this.#counted(fixes, () => this.#parts.pauses.wait(delayMs, signal, isDue));
  }

  /**
   * Waits until the model admits an attempt. `leftMs`: time left of the task; 0 if it has no limit.
   * @throws LoopError `queue-full` or `timed-out`, or the signal's reason if it aborts first.
   */
  async enter({ limiter }: ModelState, leftMs: number, signal: AbortSignal | undefined): Promise<void> {
    const fixes = this.#fixes.queueing;
    const own = this.#parts.limits.of(this.#parts.ownPolicy).gate;
    const gate = this.limits.gate;
    const mostMs = Math.min(this.#leftMs, leftMs > 0 ? PART_OF_TIME * leftMs : Number.POSITIVE_INFINITY);
    if (fixes.length === 0 || gate === undefined || mostMs <= 0) {
      return this.#enterOwn(limiter, fixes.length > 0 ? own : gate, leftMs, signal);
    }
    const limitsNow = () => {
      this.refresh();
      return this.limits.gate;
    };
    try {
      const enter = () => limiter.enter(gate, leftMs, signal, { limitsNow, mostMs, own });
      this.#admission = await this.#counted(fixes, enter);
    } catch (error) {
      if (!LoopError.is(error) || error.code !== 'queue-full') throw error;
      // A queue that a fix made must not refuse work.
      this.#parts.brake.refused(fixes);
      await this.#enterOwn(limiter, own, leftMs, signal);
    }
  }

  /** Counts an attempt that no limit applies to. */
  pass(limiter: ModelState['limiter']): void {
    this.#admission = 'passed';
    limiter.pass();
  }

  /** Counts the end of the current attempt and admits waiting ones. */
  leave({ limiter }: ModelState): void {
    this.#hasCalled = true;
    limiter.leave(this.#admission);
  }

  /** Counts the end of the task. */
  end(durationMs: number, failed: boolean): void {
    const { brake, priceOf } = this.#parts;
    const { delaying } = this.#parts.fixes.of(this.#started.policy);
    if (delaying.length > 0) {
      const [queuedMs, waitedMs] = [this.#queuedMs, this.#waitedMs];
      const workMs = durationMs - waitedMs;
      brake.ended(delaying, { task: this, priceMs: priceOf(this.#task), queuedMs, waitedMs, workMs, failed });
    }
    for (const { fixId, arm } of this.#started.arms) if (arm === 'control') brake.endedWithout(fixId, failed);
  }

  get #fixes() {
    return this.#parts.fixes.of(this.#policy);
  }

  /** Remaining budget in milliseconds. */
  get #leftMs(): number {
    return this.#parts.priceOf(this.#task) - this.#waitedMs;
  }

  /** Returns whether the host's own settings allow this retry. */
  #isOwnRetry(category: Failure['category'], retry: number): boolean {
    return this.#fixes.delaying.length === 0 || retriesFor(category, this.#parts.ownPolicy) >= retry;
  }

  async #enterOwn(
    limiter: ModelState['limiter'],
    gate: Limits['gate'],
    leftMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (gate === undefined) this.pass(limiter);
    else this.#admission = await limiter.enter(gate, leftMs, signal);
  }

  /** Waits, and charges the time to the fixes. */
  async #counted<Value>(fixes: readonly FixInPolicy[], wait: () => Promise<Value>): Promise<Value> {
    if (fixes.length === 0) return wait();
    const isFirst = !this.#hasCalled;
    const priceMs = this.#parts.priceOf(this.#task);
    const end = this.#parts.brake.wait(fixes, { task: this, beforeMs: this.#waitedMs, isFirst, priceMs });
    try {
      return await wait();
    } finally {
      const tookMs = end();
      this.#waitedMs += tookMs;
      if (isFirst) this.#queuedMs += tookMs;
    }
  }
}

const NONE: readonly FixInPolicy[] = [];
