import type { Clock } from 'rsi-loop';
import type { Message } from './message.js';
import type { Attempt, Sender } from './sender.js';

/** Messages that wait for one target. When it is full, the oldest ones are dropped. */
const MAX_WAITING = 50;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 600_000;
/** Longest Retry-After that is honoured. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** An alert older than this is not sent any more. */
const STALE_MS = 86_400_000;
/** Failed attempts in a row after which the problem is reported. */
const REPORT_AFTER = 3;

type Failure = Extract<Attempt, { kind: 'failed' }>;

interface DeliveryOptions {
  readonly sender: Sender;
  readonly clock: Clock;
  /** Called once per outage. */
  readonly report: (message: string) => void;
}

/** Queue of one target. Sends one message after another and retries the first until it is sent or stale. */
export class Delivery {
  readonly #options: DeliveryOptions;
  #waiting: Message[] = [];
  /** Messages that were never delivered. The next one says so. */
  #lost = 0;
  #failures = 0;
  #isReported = false;
  #working: Promise<void> | undefined;
  #isStopping = false;
  readonly #abort = new AbortController();
  #endPause = () => {};

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Adds a message. Never waits and never throws. */
  add(message: Message): void {
    this.#waiting.push(message);
    while (this.#waiting.length > MAX_WAITING) this.#drop('too many alerts wait');
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Makes one last attempt for each waiting message, and stops at the first failure or when `signal` aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#endPause();
    const abort = () => this.#abort.abort();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    await this.#working;
    signal.removeEventListener('abort', abort);
  }

  async #work(): Promise<void> {
    // The first attempt begins after the current work of the host.
    await Promise.resolve();
    let goesOn = true;
    for (let message = this.#waiting[0]; message !== undefined && goesOn; message = this.#waiting[0]) {
      const isLast = this.#isStopping;
      const result = await this.#options.sender.send(withLost(message, this.#lost), this.#abort.signal);
      if (result.kind === 'sent') this.#sent(message);
      else {
        goesOn = !isLast;
        await this.#failed(message, result, isLast);
      }
    }
  }

  async #failed(message: Message, { why, mayPass, retryAfterMs }: Failure, isLast: boolean): Promise<void> {
    const { clock } = this.#options;
    this.#failures++;
    if (!mayPass || clock.now() - message.atMs > STALE_MS) this.#drop(why, message);
    else if (isLast || this.#failures >= REPORT_AFTER) this.#report(why);
    if (mayPass) await this.#pause(waitOf(this.#failures, retryAfterMs));
  }

  #sent(message: Message): void {
    this.#failures = 0;
    this.#lost = 0;
    this.#isReported = false;
    this.#remove(message);
  }

  #drop(why: string, message = this.#waiting[0]): void {
    if (message === undefined) return;
    this.#lost++;
    this.#remove(message);
    this.#report(why);
  }

  /** The message may be gone already, if the queue became full during the attempt. */
  #remove(message: Message): void {
    this.#waiting = this.#waiting.filter((one) => one !== message);
  }

  #report(why: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.report(`${this.#options.sender.name} did not take an alert: ${why}`);
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isStopping) return;
    let cancel = () => {};
    await new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(ms, resolve, { background: true });
      this.#endPause = resolve;
    });
    cancel();
  }
}

function waitOf(failures: number, retryAfterMs = 0): number {
  const own = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return Math.max(own, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

function withLost(message: Message, lost: number): Message {
  if (lost === 0) return message;
  const line = `${lost} earlier ${lost === 1 ? 'alert' : 'alerts'} could not be delivered.`;
  return { ...message, lines: [...message.lines, line] };
}
