import { type Policy, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from '../verdicts/skipping-clock.js';

/** One call of a task's function. */
export interface Call {
  readonly task: number;
  readonly name: string;
  readonly model: string | undefined;
  readonly policy: Policy;
  readonly nowMs: number;
  /** Draws of this task. Task by task, they are the same for all settings. */
  readonly luck: Random;
}

/** Outcome of a call: how long it takes, and the error it ends with. */
export interface Answer {
  readonly takesMs: number;
  readonly error?: Error;
}

/** Faults that the tasks of a month meet. */
export interface World {
  readonly name: string;
  /** Best settings known from the beginning; absent where no setting prevents a failure. */
  readonly best?: Partial<Policy>;
  /** Configuration of the host. */
  readonly host?: Pick<RSILoopOptions, 'policy' | 'idempotent' | 'priceMs'>;
  /** Names of the tasks, in turns. Default: one. */
  readonly names?: readonly [string, ...string[]];
  /** Models that the caller of a task lists. */
  readonly models?: (luck: Random) => readonly [string, ...string[]];
  /** Yields the start of each task, in milliseconds since the beginning of the month. */
  readonly arrivals: (random: Random) => Iterable<number>;
  /** Returns the provider that answers the calls of one month. */
  readonly provider: (random: Random) => (call: Call) => Answer;
}

/** Result of a month under one way of choosing settings. */
export interface Month {
  readonly tasks: number;
  readonly failed: number;
  readonly calls: number;
  /** Mean duration of a task, and how long the slowest of twenty took. */
  readonly meanMs: number;
  readonly p95Ms: number;
  /** Settings that confirmed fixes set at the end. */
  readonly inForce: readonly string[];
}

/** `nothing`: no fix is tried. `loop`: the loop tries fixes. `oracle`: the best settings from the beginning. */
export type Way = 'nothing' | 'loop' | 'oracle';

export const MONTH_MS = 30 * 86_400_000;
const CYCLE_MS = 3_600_000;
const ONE_NAME = ['ask'] as const;

/** Lives through a month of a world. The same seed gives the same tasks and the same luck in every way. */
export async function liveMonth(world: World, seed: number, way: Way): Promise<Month> {
  const clock = new SkippingClock(Date.UTC(2026, 0, 5));
  const policy = { ...world.host?.policy, ...(way === 'oracle' && world.best) };
  const loop = new RSILoop({ clock, random: seededRandom(seed + 1), ...world.host, policy, autoFix: way === 'loop' });
  loop.on('problem', () => {}); // late answers of calls that were stopped
  await loop.ready();
  const tasks = new Tasks(world, seed, clock, loop);
  let cycleMs = CYCLE_MS;
  const passUntil = async (untilMs: number) => {
    while (clock.monotonic() < untilMs) {
      clock.skip(Math.min(untilMs - clock.monotonic(), clock.nextTimerMs));
      await settled();
    }
  };
  const liveUntil = async (untilMs: number) => {
    for (; cycleMs <= untilMs; cycleMs += CYCLE_MS) {
      await passUntil(cycleMs);
      await loop.runCycle();
    }
    await passUntil(untilMs);
  };
  for (const atMs of world.arrivals(seededRandom(seed + 2))) {
    await liveUntil(atMs);
    tasks.begin();
  }
  await liveUntil(MONTH_MS + CYCLE_MS);
  const confirmed = loop.fixes({ status: 'confirmed' });
  await loop.close();
  return { ...tasks.report(), inForce: confirmed.flatMap(({ change }) => settingsOf(change)).sort() };
}

function settingsOf(change: ReturnType<RSILoop['fixes']>[number]['change']): readonly string[] {
  return change.kind === 'policy'
    ? Object.entries(change.set).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    : [];
}

class Tasks {
  readonly #world: World;
  readonly #seed: number;
  readonly #clock: SkippingClock;
  readonly #loop: RSILoop;
  readonly #provider: (call: Call) => Answer;
  readonly #tookMs: number[] = [];
  #begun = 0;
  #failed = 0;
  #calls = 0;

  constructor(world: World, seed: number, clock: SkippingClock, loop: RSILoop) {
    this.#world = world;
    this.#seed = seed;
    this.#clock = clock;
    this.#loop = loop;
    this.#provider = world.provider(seededRandom(seed + 3));
  }

  begin(): void {
    const clock = this.#clock;
    const task = this.#begun++;
    const luck = seededRandom(this.#seed * 1_000_003 + task);
    const models = this.#world.models?.(luck);
    const { names = ONE_NAME } = this.#world;
    const name = names[task % names.length] ?? names[0];
    const startMs = clock.monotonic();
    const end = (success: boolean) => {
      this.#tookMs.push(clock.monotonic() - startMs);
      if (!success) this.#failed++;
    };
    const work = ({ model, policy }: { readonly model: string | undefined; readonly policy: Policy }) => {
      this.#calls++;
      const { takesMs, error } = this.#provider({ task, name, model, policy, nowMs: clock.monotonic(), luck });
      return new Promise<string>((resolve, reject) => {
        clock.after(takesMs, () => (error === undefined ? resolve('an answer') : reject(error)));
      });
    };
    void this.#loop.run(name, work, models === undefined ? {} : { models }).then(
      () => end(true),
      () => end(false),
    );
  }

  report(): Omit<Month, 'inForce'> {
    const sorted = this.#tookMs.sort((one, other) => one - other);
    return {
      tasks: this.#begun,
      failed: this.#failed,
      calls: this.#calls,
      meanMs: Math.round(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length),
      p95Ms: Math.round(sorted[Math.floor(0.95 * sorted.length)] ?? 0),
    };
  }
}

/** Lets everything happen that waits for no timer. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
