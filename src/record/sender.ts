import type { Clock } from '../contract/clock.js';
import type { Outcome } from '../contract/outcome.js';
import type { Random } from '../lib/random.js';
import type { Destination } from './destination.js';

export interface SenderOptions {
  readonly to: Destination;
  readonly clock: Clock;
  readonly random: Random;
  /** Time in which outcomes are gathered for one request. */
  readonly flushMs: number;
  /** Maximum number of waiting outcomes. */
  readonly maxQueued: number;
  readonly report: (message: string) => void;
}

const MAX_BATCH = 500;
const MAX_BATCH_CHARACTERS = 500_000;
/** Bounds the memory of waiting outcomes, which may be large. */
const MAX_QUEUED_CHARACTERS = 8_000_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * Bounded queue of outcomes on their way to a receiver. Sends them in batches, one request at a time. A batch that fails
 * stays in the queue and is sent again after a random wait that grows. The receiver takes each outcome once.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #lines: string[] = [];
  /** Position of the first waiting line. */
  #position = 0;
  #characters = 0;
  #dropped = 0;
  #failures = 0;
  #cancelTimer: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Number of outcomes that wait. */
  get waiting(): number {
    return this.#lines.length;
  }

  /** Number of outcomes that were not delivered and never will be. */
  get dropped(): number {
    return this.#dropped;
  }

  add(outcome: Outcome): void {
    const { maxQueued, flushMs } = this.#options;
    if (this.#isClosed) this.#drop(1, 'the recorder is closed');
    else if (this.#lines.length >= maxQueued || this.#characters >= MAX_QUEUED_CHARACTERS) {
      this.#drop(1, 'too many wait for the server');
    } else {
      this.#push(outcome);
      if (this.#lines.length >= MAX_BATCH && this.#failures === 0) void this.send();
      else if (this.#running === undefined) this.#wake(flushMs);
    }
  }

  /** Sends what waits, until the queue is empty or an attempt fails. Never rejects. */
  send(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = undefined;
      if (this.#lines.length > 0) this.#wake(this.#options.flushMs);
    });
    return this.#running;
  }

  /** Makes one more attempt, and drops what is still waiting. */
  async close(): Promise<void> {
    await this.#running;
    await this.send();
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#lines.length > 0) this.#drop(this.#take(this.#lines.length), 'the recorder was closed');
    await this.#options.to.close?.();
  }

  #push(outcome: Outcome): void {
    const line = JSON.stringify(outcome);
    this.#lines.push(line);
    this.#characters += line.length;
  }

  async #sendAll(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#lines.length > 0) {
      const count = this.#batchLength();
      const posted = await this.#options.to.deliver(this.#lines.slice(0, count), this.#position);
      if (posted.kind === 'failed') {
        this.#options.report(`${posted.reason}: ${this.#lines.length} outcomes wait for the next attempt`);
        this.#wake(Math.max(posted.retryAfterMs, this.#backoffMs()));
        return;
      }
      this.#failures = 0;
      this.#take(count);
      if (posted.kind === 'rejected') this.#drop(count, posted.reason);
      else if (posted.refused > 0) this.#drop(posted.refused, `the server refused them: ${posted.reason}`);
    }
  }

  /** Exponential, with full jitter, so that many senders do not come back together. */
  #backoffMs(): number {
    const mostMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++);
    return mostMs * (0.1 + 0.9 * this.#options.random());
  }

  #batchLength(): number {
    let characters = 0;
    for (let count = 0; count < this.#lines.length; count++) {
      characters += this.#lines[count]?.length ?? 0;
      if (count === MAX_BATCH || (count > 0 && characters > MAX_BATCH_CHARACTERS)) return count;
    }
    return this.#lines.length;
  }

  #take(count: number): number {
    for (const line of this.#lines.splice(0, count)) this.#characters -= line.length;
    this.#position += count;
    return count;
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#options.report(`outcomes were dropped: ${reason}`);
  }

  #wake(delayMs: number): void {
    if (this.#isClosed) return;
    this.#cancelTimer ??= this.#options.clock.after(delayMs, () => void this.send(), { background: true });
  }
}
