/**
 * Cost of running trials: a cycle, `loop.run` and a task of `loop.begin`, by a loop with ten running trials beside one
 * without any, and with three trials on one task. Processor time, rounds of both interleaved, the ratio of medians.
 */
import type { Clock } from '../../src/contract/clock.js';
import { seededRandom } from '../../src/lib/random.js';
import { RSILoop } from '../../src/loop.js';

const ROUNDS = 15;
const TASKS_PER_ROUND = 2_000;
const TASKS = Array.from({ length: 10 }, (_, index) => `task ${index}`);
/** Failures before the trials, which make the loop propose them, and failures while it measures. */
const BEFORE = 0.3;
const DURING = 0.02;

class SteppedClock implements Clock {
  #ms = 0;
  now = () => Date.UTC(2026, 0, 5) + this.#ms;
  monotonic = () => this.#ms;
  after = () => () => {};
  step(ms: number): void {
    this.#ms += ms;
  }
}

/** A loop and the tasks that it records. Two of these with the same seed meet the same failures. */
class Host {
  readonly #clock = new SteppedClock();
  readonly #luck = seededRandom(7);
  readonly loop: RSILoop;
  #number = 0;

  constructor(autoFix: boolean) {
    this.loop = new RSILoop({ clock: this.#clock, random: seededRandom(1), idempotent: true, autoFix });
  }

  async open(): Promise<this> {
    await this.loop.ready();
    this.begin(600, BEFORE);
    await this.loop.runCycle();
    await this.loop.runCycle();
    return this;
  }

  begin(count: number, failing: number): void {
    for (let index = 0; index < count; index++) {
      const task = this.loop.begin(this.#next());
      const failed = this.#luck() < failing;
      this.#clock.step(200);
      task.end(failed ? { success: false, error: 'read ECONNRESET' } : { success: true });
    }
  }

  async run(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      await this.loop.run(this.#next(), async () => 1);
      this.#clock.step(200);
    }
  }

  get trials(): number {
    return this.loop.fixes({ status: 'trial' }).length;
  }

  #next(): string {
    return TASKS[this.#number++ % TASKS.length] ?? 'task';
  }
}

async function timed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const hosts = { without: await new Host(false).open(), with: await new Host(true).open() };
const rows: Record<string, { readonly of: number; readonly work: (host: Host) => unknown }> = {
  'a task: begin, end': { of: TASKS_PER_ROUND, work: (host) => host.begin(TASKS_PER_ROUND, DURING) },
  'a cycle after 2,000 tasks': { of: 1, work: (host) => host.loop.runCycle() },
  'loop.run': { of: TASKS_PER_ROUND, work: (host) => host.run(TASKS_PER_ROUND) },
  'a cycle after 2,000 runs': { of: 1, work: (host) => host.loop.runCycle() },
  'a cycle after nothing': { of: 1, work: (host) => host.loop.runCycle() },
};

const figures = new Map(Object.keys(rows).map((name) => [name, { without: [] as number[], with: [] as number[] }]));
const trials = hosts.with.trials;
if (trials < TASKS.length)
  throw new Error(`only ${trials} of ${TASKS.length} trials run: the figures would say nothing`);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { of, work }] of Object.entries(rows)) {
    const sides = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const side of sides) {
      globalThis.gc?.();
      const us = (await timed(() => work(hosts[side]))) / of;
      if (round > 0) figures.get(name)?.[side].push(us);
    }
  }
}
console.log(`trials running at the start ${trials}, at the end ${hosts.with.trials}`);
console.log(`${''.padEnd(28)} no trial in µs  ${trials} trials in µs  ratio`);
for (const [name, { without, with: beside }] of figures) {
  const [one, other] = [median(without), median(beside)];
  const numbers = [one.toFixed(1).padStart(14), other.toFixed(1).padStart(15), (other / one).toFixed(2).padStart(6)];
  console.log(`${name.padEnd(28)} ${numbers.join(' ')}`);
}
await hosts.without.loop.close();
await hosts.with.loop.close();
