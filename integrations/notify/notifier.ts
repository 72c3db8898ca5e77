import { type Clock, describeFix, type RSILoop, reportProblem, type Source, SystemClock } from 'rsi-loop';
import { isWithin, type LocalTime, localTimeIn, readMinute, readRange } from './day-clock.js';
import { Delivery } from './delivery.js';
import { digestOf } from './digest.js';
import { type Burst, newMatters, type View } from './matters.js';
import type { Message } from './message.js';
import { ALERTS, type Alert, type NotifyOptions } from './notify-options.js';
import { readNotifyOptions } from './read-options.js';
import { Sender } from './sender.js';
import { SentLog, type SentState } from './sent-log.js';
import { messagesOf } from './wording.js';

const DEFAULT_EVERY_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Alerts sent per hour at most. Further ones wait, and are sent together. */
const MAX_PER_HOUR = 12;
const MAX_BURSTS = 100;
const WHERE = 'notify';

/**
 * Sends alerts about a loop: `loop.sources.attach(notifier({ targets }))`. It looks at the loop once a minute and never
 * makes it wait. Closing the loop sends what is new in one last attempt.
 * @throws LoopError `invalid-input` for invalid options.
 */
export function notifier(input: NotifyOptions): Source<RSILoop> {
  const options = readNotifyOptions(input);
  return {
    name: 'notify',
    attach: (loop) => {
      const notifications = new Notifications(loop, options);
      return () => notifications.stop();
    },
  };
}

/** Creates the senders of all targets. */
export function sendersOf({ targets, fetch, clock, timeoutMs = DEFAULT_TIMEOUT_MS }: NotifyOptions): readonly Sender[] {
  return targets.map((target) => new Sender(target, { clock: clock ?? new SystemClock(), timeoutMs, fetch }));
}

class Notifications {
  readonly #loop: RSILoop;
  readonly #options: NotifyOptions;
  readonly #alerts: ReadonlySet<Alert>;
  readonly #clock: Clock;
  readonly #localTime: (atMs: number) => LocalTime;
  readonly #deliveries: readonly Delivery[];
  readonly #log: SentLog;
  readonly #ends: readonly (() => void)[];
  /** Bursts since the last look, and before it. They wait for one look, by which a cycle usually found their pattern. */
  #newBursts: Burst[] = [];
  #bursts: readonly Burst[] = [];
  #cycleProblem: string | undefined;
  /** Times of the alerts in the last hour. */
  #sentMs: number[] = [];
  #looking: Promise<void> = Promise.resolve();
  #cancelTimer = () => {};
  #isStopped = false;

  constructor(loop: RSILoop, options: NotifyOptions) {
    this.#loop = loop;
    this.#options = options;
    this.#alerts = new Set(options.on ?? ALERTS);
    this.#clock = options.clock ?? new SystemClock();
    this.#localTime = localTimeIn(options.timeZone ?? 'UTC');
    this.#log = new SentLog(loop);
    const report = (message: string) => reportProblem(loop, WHERE, message);
    this.#deliveries = sendersOf(options).map((sender) => new Delivery({ sender, clock: this.#clock, report }));
    this.#ends = [
      loop.on('burst', (burst) => {
        if (this.#newBursts.length < MAX_BURSTS) this.#newBursts.push(burst);
      }),
      loop.on('problem', ({ where, message }) => {
        if (where === 'cycle') this.#cycleProblem = message;
      }),
    ];
    this.#schedule();
  }

  /** Sends what is new, in one last attempt that keeps the process alive for `timeoutMs` at most. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancelTimer();
    for (const end of this.#ends) end();
    const deadline = new AbortController();
    // Not in the background: callers wait for the last alerts. Networks take real time, under any clock.
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const cancel = new SystemClock().after(timeoutMs, () => deadline.abort());
    await this.#look();
    await Promise.all(this.#deliveries.map((delivery) => delivery.stop(deadline.signal)));
    cancel();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const look = () => void this.#look().then(() => this.#schedule());
    this.#cancelTimer = this.#clock.after(this.#options.everyMs ?? DEFAULT_EVERY_MS, look, { background: true });
  }

  /** Looks at the loop, one look after another. Never rejects. */
  #look(): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#lookNow())
      .catch((error) => reportProblem(this.#loop, WHERE, `cannot look for alerts: ${String(error)}`));
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const nowMs = this.#clock.now();
    const { quietHours } = this.#options;
    const quiet = quietHours === undefined ? undefined : readRange(quietHours);
    this.#sentMs = this.#sentMs.filter((sentMs) => sentMs > nowMs - HOUR_MS);
    const isQuiet = quiet !== undefined && isWithin(quiet, this.#localTime(nowMs).minute);
    // Nothing is lost: a later look finds the same matters.
    if (isQuiet || this.#sentMs.length >= MAX_PER_HOUR || this.#loop.rebuilding()) return;
    const newBursts = this.#newBursts;
    this.#newBursts = [];
    const view = this.#view(nowMs, this.#isStopped ? [...this.#bursts, ...newBursts] : this.#bursts);
    const messages = await this.#log.claim((state) => this.#decide(view, state));
    this.#bursts = newBursts;
    this.#cycleProblem = undefined;
    for (const message of messages) {
      this.#sentMs.push(nowMs);
      for (const delivery of this.#deliveries) delivery.add(message);
    }
  }

  #view(nowMs: number, bursts: readonly Burst[]): View {
    const loop = this.#loop;
    return {
      nowMs,
      patterns: loop.patterns(),
      fixes: loop.fixes(),
      describe: (fix) => describeFix(loop, fix),
      health: loop.health(),
      bursts,
      ...(this.#cycleProblem !== undefined && { cycleProblem: this.#cycleProblem }),
    };
  }

  #decide(view: View, state: SentState | undefined): { next: SentState; result: readonly Message[] } {
    const { healthBelow } = this.#options;
    const { matters, next } = newMatters(view, state?.sent ?? {}, { alerts: this.#alerts, healthBelow });
    const digestDate = this.#digestDate(view.nowMs);
    const isDue = digestDate !== undefined && state !== undefined && digestDate !== state.digestDate;
    const date = digestDate ?? state?.digestDate;
    return {
      next: { sent: next, ...(date !== undefined && { digestDate: date }) },
      result: [
        ...messagesOf(matters, view, this.#options),
        ...(isDue ? [digestOf(view, this.#loop.healthHistory(), this.#options)] : []),
      ],
    };
  }

  /** Returns the local date if the time of its digest has come. */
  #digestDate(nowMs: number): string | undefined {
    const { digestAt } = this.#options;
    if (digestAt === undefined) return undefined;
    const { date, minute } = this.#localTime(nowMs);
    return minute >= (readMinute(digestAt) ?? 0) ? date : undefined;
  }
}
