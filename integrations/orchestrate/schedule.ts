import { type Clock, LoopError } from 'rsi-loop';
import { messageOf, mustBe, partsOf } from 'rsi-loop/kit';
import { CronTimes } from './cron-times.js';
import { type OrchestratingLoop, orchestrate, type RunResult } from './orchestrate.js';
import { type OrchestrateOptions, openStore } from './orchestrate-options.js';
import { RunState } from './run-state.js';
import type { RunStore } from './run-step.js';

/** Options of `schedule`. */
export interface ScheduleOptions extends Omit<OrchestrateOptions, 'id' | 'retry'> {
  /** Begin of the ids of its runs: letters, digits, `-` and `_`. The time of a run in UTC follows it. */
  readonly name: string;
  /** Minute, hour, day, month and weekday; a sixth field in front is the second. */
  readonly cron: string;
  /** Time zone of the pattern, such as `Europe/Rome`. Default: that of the machine. */
  readonly timeZone?: string;
  /** Whether the newest time that no process was there for is made up for. Default `run`. */
  readonly missed?: 'run' | 'skip';
  /** Called with the end of each run. */
  readonly onRun?: (result: RunResult) => void;
}

/** Schedule in progress. */
export interface Schedule {
  /** Returns the epoch milliseconds of the next run; undefined if there is none. */
  next(): number | undefined;
  /** Resolves when the schedule has ended: by its signal, or after its last time. */
  readonly done: Promise<void>;
}

/**
 * Runs tasks at the times of a cron pattern, each time as a run of its own. The run of a time happens once, however many
 * processes have the schedule, and the next process continues a run that was killed. Runs do not overlap: a time that comes
 * during a run begins after it. `signal` ends the schedule, and stops a run in order.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export function schedule(loop: OrchestratingLoop, options: ScheduleOptions): Schedule {
  return new Scheduler(loop, options).begin();
}

class Scheduler {
  readonly #loop: OrchestratingLoop;
  readonly #options: ScheduleOptions;
  readonly #clock: Clock;
  readonly #times: CronTimes;
  readonly #store: RunStore;
  /** Time of the last run, or of the begin. */
  #lastMs: number;

  constructor(loop: OrchestratingLoop, options: ScheduleOptions) {
    const { name, cron, timeZone, missed = 'run', folder, store } = options;
    mustBe(typeof name === 'string' && /^[\w-]{1,80}$/.test(name), 'name', name, '1 to 80 letters, digits, "-" or "_"');
    mustBe(missed === 'run' || missed === 'skip', 'missed', missed, '"run" or "skip"');
    this.#loop = loop;
    this.#options = options;
    this.#clock = partsOf(loop).clock;
    this.#times = new CronTimes(cron, timeZone);
    this.#store = store ?? openStore(folder);
    this.#lastMs = this.#clock.now();
  }

  begin(): Schedule {
    return { next: () => this.#times.after(Math.max(this.#lastMs, this.#clock.now())), done: this.#serve() };
  }

  async #serve(): Promise<void> {
    const { signal, missed = 'run', store } = this.#options;
    try {
      await this.#takeUp();
      while (!signal?.aborted) {
        const nowMs = this.#clock.now();
        const late = this.#times.newest(this.#lastMs, nowMs);
        const dueMs = (missed === 'run' ? late : undefined) ?? this.#times.after(nowMs);
        if (dueMs === undefined) return;
        if (dueMs > nowMs) await this.#until(dueMs);
        if (signal?.aborted) return;
        await this.#run(dueMs);
      }
    } finally {
      if (store === undefined) await this.#store.close();
    }
  }

  /** Finds the newest run of an earlier process, and continues it if it has not ended. */
  async #takeUp(): Promise<void> {
    const times = (await this.#store.list()).map((id) => this.#timeOf(id)).filter((ms) => ms !== undefined);
    if (times.length === 0) return;
    this.#lastMs = Math.max(...times);
    if (!new RunState(await this.#store.load(this.#idOf(this.#lastMs))).hasEnded) await this.#run(this.#lastMs);
  }

  async #run(dueMs: number): Promise<void> {
    this.#lastMs = dueMs;
    const { name: _, cron, timeZone, missed, onRun, folder, ...options } = this.#options;
    try {
      const result = await orchestrate(this.#loop, { ...options, store: this.#store, id: this.#idOf(dueMs) });
      onRun?.(result);
    } catch (error) {
      // Another process has the run of this time.
      if (LoopError.is(error) && error.code === 'store-conflict') return;
      const message = `the run of ${new Date(dueMs).toISOString()} could not be made: ${messageOf(error)}`;
      partsOf(this.#loop).events.emit({ kind: 'problem', where: 'orchestrate.schedule', message });
    }
  }

  #until(dueMs: number): Promise<void> {
    const { signal } = this.#options;
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#clock.after(dueMs - this.#clock.now(), end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  #idOf(ms: number): string {
    return `${this.#options.name}-${new Date(ms).toISOString().slice(0, 19).replaceAll(':', '').replaceAll('-', '')}`;
  }

  #timeOf(id: string): number | undefined {
    const { name } = this.#options;
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/.exec(id.slice(name.length + 1)) ?? [];
    if (!id.startsWith(`${name}-`) || parts.length < 6) return undefined;
    const [year = 0, month = 1, day, hours, minutes, seconds] = parts.map(Number);
    return Date.UTC(year, month - 1, day, hours, minutes, seconds);
  }
}
