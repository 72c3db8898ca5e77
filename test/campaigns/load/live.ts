import { LoopError, MemoryStore, RSILoop, type RSILoopOptions, type Store } from 'rsi-loop';
import { seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from '../verdicts/skipping-clock.js';
import type { Answer, Provider, Way, World } from './world.js';

/** How one task of a life went. */
export interface TaskEnd {
  readonly success: boolean;
  readonly tookMs: number;
  /** Time in which none of its calls ran. */
  readonly waitedMs: number;
  readonly calls: number;
}

/** Load of one world under one way of choosing settings. */
export interface Life {
  /** In the order in which the tasks began; undefined for one that never ended. */
  readonly ends: readonly (TaskEnd | undefined)[];
  /** Tasks that ended with an error of the loop. */
  readonly refused: number;
  /** Tasks that waited a second after the freeze, with no call running and no confirmed fix that they may wait for. */
  readonly heldAfterFreeze: number;
  /** Settings that the loop tried, with the end of each. */
  readonly tried: readonly string[];
}

/** `without`: the loop tries nothing. `loop`: the loop on its defaults. Settings: these from the beginning. */
export type Settings = 'without' | 'loop' | Way;

/** Arrivals after which a person freezes the loop. */
export const FREEZE_AFTER = 0.95;
/** Mean tasks between two cycles, and the longest time between two. */
const [TASKS_PER_CYCLE, LONGEST_CYCLE_MS] = [100, 600_000];
/** Time in which every task must end after the last arrival. */
const DRAIN_MS = 6 * 3_600_000;

/** Lives through the load of a world. The same seed gives the same tasks and the same luck under all settings. */
export async function liveLoad(world: World, seed: number, settings: Settings): Promise<Life> {
  const host = new Host(world, seed, settings);
  await host.ready();
  const starts = startsOf(world, seed);
  const cycleMs = Math.min(LONGEST_CYCLE_MS, ((starts.at(-1) ?? 0) * TASKS_PER_CYCLE) / starts.length);
  let nextCycleMs = cycleMs;
  for (const [task, atMs] of starts.entries()) {
    for (; settings === 'loop' && nextCycleMs <= atMs; nextCycleMs += cycleMs) {
      await host.passUntil(nextCycleMs);
      await host.cycle();
    }
    await host.passUntil(atMs);
    if (task === Math.floor(FREEZE_AFTER * starts.length) && settings === 'loop') await host.freeze();
    host.begin();
  }
  await host.drain();
  return host.end();
}

function startsOf({ arrivals, tasks }: World, seed: number): readonly number[] {
  const each = arrivals(seededRandom(seed + 2));
  return Array.from({ length: tasks }, () => Number(each.next().value));
}

/** The program that runs the tasks, in one process or several on one store. */
class Host {
  readonly #world: World;
  readonly #seed: number;
  readonly #clock = new SkippingClock(Date.UTC(2026, 0, 5));
  readonly #loops: readonly RSILoop[];
  readonly #provider: Provider;
  readonly #ends: (TaskEnd | undefined)[] = [];
  readonly #open = new Set<OpenTask>();
  readonly #tried: string[] = [];
  #refused = 0;
  #held = 0;

  constructor(world: World, seed: number, settings: Settings) {
    this.#world = world;
    this.#seed = seed;
    this.#provider = world.provider(seededRandom(seed + 3));
    const policy = { ...world.host?.policy, ...(typeof settings === 'object' && settings) };
    const store = new MemoryStore({ clock: this.#clock });
    this.#loops = Array.from({ length: world.processes ?? 1 }, (_, process) => {
      const random = seededRandom(seed + 10 + process);
      const options: RSILoopOptions = {
        ...{ clock: this.#clock, random, store: process === 0 ? store : otherProcess(store, process) },
        ...{ ...world.host, policy },
      };
      return new RSILoop({ ...options, ...(settings !== 'loop' && { autoFix: false }) });
    });
    for (const loop of this.#loops) loop.on('problem', () => {}); // late answers of calls that were stopped
    this.#loops[0]?.on('trial-started', ({ fix }) => this.#tried.push(fix.target));
  }

  async ready(): Promise<void> {
    for (const loop of this.#loops) await loop.ready();
  }

  async cycle(): Promise<void> {
    for (const loop of this.#loops) await loop.runCycle();
  }

  async passUntil(untilMs: number): Promise<void> {
    const clock = this.#clock;
    while (clock.monotonic() < untilMs) {
      clock.skip(Math.min(untilMs - clock.monotonic(), clock.nextTimerMs));
      await settled();
    }
  }

  begin(): void {
    const task = this.#ends.length;
    this.#ends.push(undefined);
    const loop = this.#loops[task % this.#loops.length] as RSILoop; // there is at least one
    const open = new OpenTask(this.#clock, seededRandom(this.#seed * 1_000_003 + task));
    this.#open.add(open);
    const end = (success: boolean) => {
      this.#open.delete(open);
      this.#ends[task] = open.end(success);
    };
    void this.#run(loop, task, open, this.#world.depth ?? 0).then(
      () => end(true),
      (error) => {
        if (isRefusal(error)) this.#refused++;
        end(false);
      },
    );
  }

  /** Freezes the loop, and counts the tasks that still wait a second later. */
  async freeze(): Promise<void> {
    const isConfirmed = this.#loops[0]?.fixes({ status: 'confirmed' }).length !== 0;
    const open = isConfirmed ? [] : [...this.#open];
    await this.#loops[0]?.freeze({ by: 'ada', reason: 'end of the test' });
    this.#clock.after(1_000, () => {
      this.#held = open.filter((task) => this.#open.has(task) && !task.isCalling).length;
    });
  }

  async drain(): Promise<void> {
    const endMs = this.#clock.monotonic() + DRAIN_MS;
    while (this.#open.size > 0 && this.#clock.monotonic() < endMs) {
      const nextMs = this.#clock.monotonic() + Math.max(1, this.#clock.nextTimerMs);
      await this.passUntil(Math.min(endMs, nextMs));
    }
  }

  async end(): Promise<Life> {
    const fixes = this.#loops[0]?.fixes() ?? [];
    const tried = this.#tried.map((target) => {
      const fix = fixes.findLast((one) => one.target === target && one.status !== 'proposed');
      return `${target}: ${fix?.verdict?.kind ?? fix?.status ?? 'undecided'}`;
    });
    for (const loop of this.#loops) await loop.close();
    return { ends: this.#ends, refused: this.#refused, heldAfterFreeze: this.#held, tried };
  }

  /** Runs a task, inside of as many others as `depth` says. */
  #run(loop: RSILoop, task: number, open: OpenTask, depth: number): Promise<unknown> {
    const { models, timeoutMs, customers = 1 } = this.#world;
    if (depth > 0) return loop.run(`level-${depth}`, () => this.#run(loop, task, open, depth - 1));
    const nowMs = () => this.#clock.monotonic();
    return loop.run(
      'ask',
      ({ model, signal }) =>
        open.call(this.#provider({ task, model, customer: task % customers, nowMs: nowMs(), luck: open.luck }), signal),
      { ...(models && { models }), ...(timeoutMs !== undefined && { timeoutMs }) },
    );
  }
}

/** Returns the store under the name of another process, so that no two tasks get the same id. */
function otherProcess({ journal, ledger, snapshots, coordination }: MemoryStore, process: number): Store {
  const named = {
    writer: `${journal.writer}${process}`,
    queued: journal.queued,
    append: journal.append.bind(journal),
    read: journal.read.bind(journal),
    flush: journal.flush.bind(journal),
  };
  return { journal: named, ledger, snapshots, coordination };
}

class OpenTask {
  readonly luck: () => number;
  readonly #clock: SkippingClock;
  readonly #startMs: number;
  #calls = 0;
  #running = 0;
  #sinceMs = 0;
  #calledMs = 0;

  constructor(clock: SkippingClock, luck: () => number) {
    this.luck = luck;
    this.#clock = clock;
    this.#startMs = clock.monotonic();
  }

  get isCalling(): boolean {
    return this.#running > 0;
  }

  call({ takesMs, error }: Answer, signal: AbortSignal): Promise<string> {
    this.#calls++;
    if (this.#running++ === 0) this.#sinceMs = this.#clock.monotonic();
    return new Promise((resolve, reject) => {
      const stopped = () => {
        cancel();
        this.#ended();
        reject(signal.reason);
      };
      const cancel = this.#clock.after(takesMs, () => {
        signal.removeEventListener('abort', stopped);
        this.#ended();
        if (error === undefined) resolve('an answer');
        else reject(error);
      });
      signal.addEventListener('abort', stopped, { once: true });
    });
  }

  end(success: boolean): TaskEnd {
    const tookMs = this.#clock.monotonic() - this.#startMs;
    return { success, tookMs, waitedMs: tookMs - this.#calledMs, calls: this.#calls };
  }

  #ended(): void {
    if (--this.#running === 0) this.#calledMs += this.#clock.monotonic() - this.#sinceMs;
  }
}

/** Returns whether the loop itself refused to call. */
function isRefusal(error: unknown): boolean {
  return LoopError.is(error) && (error.code !== 'timed-out' || error.message.includes('had no place'));
}

/** Lets everything happen that waits for no timer. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
