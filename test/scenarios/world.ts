import { type CycleReport, type Policy, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { seededRandom } from '../../src/lib/random.js';

/** Result of one attempt of a task: an error to throw, or nothing. */
export type Weather = (attempt: {
  readonly number: number;
  readonly model: string | undefined;
  readonly task: number;
  readonly policy: Policy;
}) => unknown;

export interface TaskOptions {
  readonly task?: string;
  readonly models?: readonly [string, ...string[]];
  /** Between the beginnings of two tasks. */
  readonly everyMs?: number;
  /** A cycle after every so many tasks. Default 50. */
  readonly cycleEvery?: number;
}

/** A loop with an agent whose day is written by the test: its clock is manual, its luck is seeded. */
export class World {
  readonly clock: ManualClock;
  readonly luck = seededRandom(42);
  readonly loop: RSILoop;
  #tasks = 0;

  constructor(
    options: Omit<RSILoopOptions, 'clock' | 'random'> = {},
    { seed = 7, startMs = Date.UTC(2026, 0, 5) }: { readonly seed?: number; readonly startMs?: number } = {},
  ) {
    this.clock = new ManualClock(startMs);
    // These agents may repeat their calls, unless a story says otherwise.
    this.loop = new RSILoop({ clock: this.clock, random: seededRandom(seed), idempotent: true, ...options });
  }

  /** Runs tasks one after another and turns the loop now and then; gives the last report. */
  async work(count: number, weather: Weather, options: TaskOptions = {}): Promise<CycleReport> {
    const { task = 'api_call', models, everyMs = 60_000, cycleEvery = 50 } = options;
    // Opening the loop takes real time, which must not become time of this world.
    await this.loop.ready();
    let report: CycleReport | undefined;
    for (let index = 1; index <= count; index++) {
      const number = this.#tasks++;
      let call = 0;
      const ending = this.loop.run(
        task,
        ({ model, policy }) => {
          call++;
          const error = weather({ number: call, model, policy, task: number });
          if (error !== undefined) throw error;
          return 'done';
        },
        models ? { models } : {},
      );
      await this.#settle(ending);
      await this.clock.advance(everyMs);
      if (index % cycleEvery === 0) report = await this.loop.runCycle();
    }
    return report ?? (await this.loop.runCycle());
  }

  /** True in this share of the calls. */
  happens(share: number): boolean {
    return this.luck() < share;
  }

  /** Lets time pass until the task has ended; its waits between attempts are on the manual clock. */
  async #settle(ending: Promise<unknown>): Promise<void> {
    let ended = false;
    const watched = ending
      .catch(() => undefined)
      .then(() => {
        ended = true;
      });
    for (let turns = 0; !ended && turns < 1_000; turns++) await this.clock.advance(turns === 0 ? 0 : 100);
    await watched;
  }
}

export function networkError(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}
