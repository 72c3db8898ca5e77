import { Cron } from 'croner';
import { LoopError } from 'rsi-loop';
import { messageOf, showValue } from 'rsi-loop/kit';

const MINUTE_MS = 60_000;
/** Times back from now in which the newest missed time is looked for, in milliseconds. */
const WINDOWS_MS = [MINUTE_MS, 60 * MINUTE_MS, 1_440 * MINUTE_MS, 45_000 * MINUTE_MS, 530_000 * MINUTE_MS];

/** Times of a cron pattern, as epoch milliseconds. */
export class CronTimes {
  readonly #cron: Cron;

  /** @throws LoopError `invalid-input` for a pattern or a time zone that cannot be read, or that never comes. */
  constructor(pattern: string, timeZone: string | undefined) {
    const what = `cron is ${showValue(pattern)}${timeZone === undefined ? '' : ` in ${showValue(timeZone)}`}`;
    try {
      this.#cron = new Cron(pattern, { paused: true, ...(timeZone !== undefined && { timezone: timeZone }) });
      this.after(0);
    } catch (error) {
      const advice = 'give minute, hour, day, month and weekday, such as "0 3 * * *", and a zone such as "Europe/Rome"';
      throw new LoopError('invalid-input', `${what}: ${messageOf(error)}: ${advice}`, { cause: error });
    }
  }

  /** Returns the first time after this one; undefined if there is none. */
  after(ms: number): number | undefined {
    return this.#cron.nextRun(new Date(ms))?.getTime();
  }

  /** Returns the newest time after `fromMs`, up to `nowMs`. */
  newest(fromMs: number, nowMs: number): number | undefined {
    for (const windowMs of WINDOWS_MS) {
      const beginMs = Math.max(fromMs, nowMs - windowMs);
      let newest: number | undefined;
      for (let at = this.after(beginMs); at !== undefined && at <= nowMs; at = this.after(at)) newest = at;
      if (newest !== undefined || beginMs === fromMs) return newest;
    }
    return undefined;
  }
}
