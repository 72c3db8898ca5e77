import { type Policy, RSILoop } from 'rsi-loop';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { SharedFolder, type SharedStore } from '../../lives/shared-store.js';
import { Provider } from './provider.js';
import { SkippingClock } from './skipping-clock.js';

/** Options of a life of callers who share a quota. */
export interface QuotaWorld {
  readonly tasks: number;
  /** Callers spread evenly over so many processes. */
  readonly processes: number;
  /** The settings from the beginning; without them the loop has to find its own. */
  readonly policy?: Partial<Policy>;
  readonly autoFix?: boolean;
  /** Whether answers state what is left of the quota. */
  readonly isStated?: boolean;
  /** API keys, each with a quota of its own for as many times the load. Default 1. */
  readonly keys?: number;
  /** Whether all processes use one store. Default false. */
  readonly oneStore?: boolean;
}

export interface QuotaLife {
  readonly tasks: number;
  readonly failed: number;
  /** Of the newest half. */
  readonly lateTasks: number;
  readonly lateFailed: number;
  /** From the beginning of a task to its last call, in the newest half: the middle and the 95th of 100. */
  readonly lateWaitMs: { readonly p50: number; readonly p95: number };
  readonly grantedPerMinute: number;
  readonly confirmed: boolean;
  /** Successes by process. */
  readonly shares: readonly number[];
}

const QUOTA = { perMinute: 60, size: 10 };
/** Bursts of 12 tasks on average, for 60 % of the quota. */
const BURST = 12;
const LOAD = 0.6;
const CYCLE_MS = 600_000;
const LONGEST_SKIP_MS = 60_000;

/** Lives through bursts of tasks of one model, which grants a call a second and ten together. */
export async function liveOnQuota(seed: number, world: QuotaWorld): Promise<QuotaLife> {
  const life = new SharedQuota(seed, world);
  await life.run();
  return life.report();
}

class SharedQuota {
  readonly #clock = new SkippingClock(Date.UTC(2026, 0, 5));
  readonly #random: Random;
  /** One for each key. */
  readonly #providers: readonly Provider[];
  readonly #loops: readonly RSILoop[];
  /** One for each process, over one folder; empty if each process has a store in its own memory. */
  readonly #stores: readonly SharedStore[];
  readonly #world: QuotaWorld;
  readonly #waits: number[] = [];
  readonly #shares: number[];
  #begun = 0;
  #open = 0;
  #failed = 0;
  #lateFailed = 0;
  #confirmed = false;

  constructor(seed: number, world: QuotaWorld) {
    this.#world = world;
    this.#random = seededRandom(seed);
    const luck = seededRandom(seed + 1);
    const { processes, policy = {}, autoFix = true, keys = 1, oneStore = false } = world;
    const takesMs = () => 300 + 600 * luck();
    this.#providers = Array.from({ length: keys }, () => new Provider(this.#clock, QUOTA, takesMs));
    const folder = new SharedFolder();
    this.#stores = oneStore
      ? Array.from({ length: processes }, (_, index) => folder.open(`process ${index}`, this.#clock))
      : [];
    const storeOf = (index: number) => this.#stores[index] && { store: this.#stores[index] };
    this.#loops = Array.from(
      { length: processes },
      (_, index) =>
        new RSILoop({
          clock: this.#clock,
          random: seededRandom(seed + 2 + index),
          priceMs: 600_000,
          policy,
          autoFix,
          ...storeOf(index),
        }),
    );
    this.#shares = this.#loops.map(() => 0);
  }

  async run(): Promise<void> {
    const clock = this.#clock;
    await Promise.all(this.#loops.map((loop) => loop.ready()));
    let [burstMs, cycleMs] = [0, CYCLE_MS];
    while (this.#begun < this.#world.tasks || this.#open > 0) {
      const isOver = this.#begun >= this.#world.tasks;
      const nextMs = Math.min(isOver ? Number.POSITIVE_INFINITY : burstMs, cycleMs) - clock.monotonic();
      clock.skip(Math.max(0, Math.min(nextMs, clock.nextTimerMs, LONGEST_SKIP_MS)));
      if (!isOver && clock.monotonic() >= burstMs) {
        const tasks = 1 + Math.floor(this.#random() * (2 * BURST - 1));
        for (let task = 0; task < tasks; task++) this.#begin();
        burstMs =
          clock.monotonic() -
          (Math.log(1 - this.#random()) * BURST * 60_000) / (LOAD * QUOTA.perMinute * this.#providers.length);
      }
      await settled();
      if (clock.monotonic() < cycleMs) continue;
      for (const store of this.#stores) store.beat();
      for (const loop of this.#loops) await loop.runCycle();
      cycleMs = clock.monotonic() + CYCLE_MS;
    }
    this.#confirmed = this.#loops.some((loop) => loop.fixes({ status: 'confirmed' }).length > 0);
    await Promise.all(this.#loops.map((loop) => loop.close()));
  }

  report(): QuotaLife {
    const granted = this.#providers.reduce((sum, provider) => sum + provider.granted, 0);
    return {
      tasks: this.#begun,
      failed: this.#failed,
      lateTasks: this.#waits.length,
      lateFailed: this.#lateFailed,
      lateWaitMs: { p50: this.#waitAt(0.5), p95: this.#waitAt(0.95) },
      grantedPerMinute: (granted / this.#clock.monotonic()) * 60_000,
      confirmed: this.#confirmed,
      shares: this.#shares,
    };
  }

  #waitAt(share: number): number {
    const sorted = this.#waits.sort((one, other) => one - other);
    return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  }

  #begin(): void {
    const clock = this.#clock;
    const index = Math.floor(this.#random() * this.#loops.length);
    const { isStated = false } = this.#world;
    const key = this.#providers.length > 1 ? Math.floor(this.#random() * this.#providers.length) : 0;
    const isLate = this.#begun >= this.#world.tasks / 2;
    const beganMs = clock.monotonic();
    let calledMs = beganMs;
    const work = async () => {
      calledMs = clock.monotonic();
      const answer = await this.#providers[key]?.ask();
      return isStated ? answer : 'an answer';
    };
    const end = (success: boolean) => {
      this.#open--;
      if (success) this.#shares[index] = (this.#shares[index] ?? 0) + 1;
      else this.#failed++;
      if (!isLate) return;
      this.#waits.push(calledMs - beganMs);
      if (!success) this.#lateFailed++;
    };
    this.#begun++;
    this.#open++;
    const quota = this.#providers.length > 1 && { quota: `key ${key}` };
    void this.#loops[index]?.run('ask', work, { models: ['only'], ...quota }).then(
      () => end(true),
      () => end(false),
    );
  }
}

/** Lets everything happen that waits for nothing but its turn. */
async function settled(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}
