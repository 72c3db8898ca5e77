import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { type Outcome, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { storeWithFinished, wideOutcome } from './world.js';

/** Cost of a loop on a ledger with so many finished fixes, in milliseconds of processor time. */
export interface LoopCost {
  readonly startMs: number;
  /** The cheapest of its cycles: neighbours on the machine only ever add to one. */
  readonly cycleMs: number;
}

/** Starts a loop on so many finished fixes, lets it take in outcomes of the wide world, and measures cycles among more of them. */
export async function costWithFinished(fixes: number, outcomes: number): Promise<LoopCost> {
  const clock = new ManualClock(wideOutcome(0).atMs);
  const store = await storeWithFinished(fixes);
  const begunMs = processorMs();
  const loop = new RSILoop({ clock, store });
  await loop.ready();
  const startMs = processorMs() - begunMs;
  let next = 0;
  const record = (count: number) => {
    for (let index = 0; index < count; index++) loop.observer.record(wideOutcome(next++));
    clock.set(wideOutcome(next).atMs);
  };
  for (let index = 0; index < outcomes; index += 5_000) {
    record(5_000);
    await loop.runCycle();
  }
  const cycles: number[] = [];
  for (let cycle = 0; cycle < 10; cycle++) {
    record(100);
    const cycleBegunMs = processorMs();
    await loop.runCycle();
    cycles.push(processorMs() - cycleBegunMs);
  }
  await loop.close();
  return { startMs, cycleMs: Math.min(...cycles) };
}

/** How late the event loop of a host was, in milliseconds. */
export interface HostDelay {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

const OUTCOMES_PER_ROUND = 20_000;

/**
 * Measures how late the event loop of a host is that makes 10,000 outcomes of the wide world a second: bare and with a loop
 * by turns, so that neighbours on the machine disturb both alike. A round with a loop lasts until its cycle has ended.
 * Figures are medians of the rounds.
 */
export async function compareHosts(loop: RSILoop, rounds: number): Promise<{ bare: HostDelay; beside: HostDelay }> {
  const [bare, beside]: [HostDelay[], HostDelay[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const from = round * OUTCOMES_PER_ROUND;
    bare.push(await delayDuring(() => work(from, () => {})));
    beside.push(await delayDuring(() => workBeside(loop, from)));
  }
  return { bare: medianOf(bare), beside: medianOf(beside) };
}

async function delayDuring(work: () => Promise<void>): Promise<HostDelay> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  const ms = (nanoseconds: number) => nanoseconds / 1e6;
  return { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), longest: ms(delay.max) };
}

function medianOf(rounds: readonly HostDelay[]): HostDelay {
  const median = (figure: keyof HostDelay) =>
    rounds.map((round) => round[figure]).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
  return { p50: median('p50'), p99: median('p99'), longest: median('longest') };
}

/** Time that the event loop of a host worked between two checks for other work, in milliseconds; collecting garbage left out. */
export interface Slices {
  readonly p99: number;
  readonly longest: number;
  readonly overTen: number;
  /** Longest pause of the garbage collector. */
  readonly collecting: number;
}

/** Measures each turn of the event loop by the lesser of wall and processor time, so that neighbours do not count. */
export async function slicesOf(loop: RSILoop, rounds: number): Promise<Slices> {
  const pauses: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => pauses.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const turns: { readonly fromMs: number; readonly toMs: number; readonly ms: number }[] = [];
  let isDone = false;
  let last = { atMs: performance.now(), usedMs: processorMs() };
  const look = () => {
    const now = { atMs: performance.now(), usedMs: processorMs() };
    const ms = Math.min(now.atMs - last.atMs, now.usedMs - last.usedMs);
    if (ms > SHORT_MS) turns.push({ fromMs: last.atMs, toMs: now.atMs, ms });
    last = now;
    if (!isDone) setImmediate(look);
  };
  look();
  for (let round = 0; round < rounds; round++) await workBeside(loop, round * OUTCOMES_PER_ROUND);
  isDone = true;
  await new Promise((resolve) => setTimeout(resolve, 50));
  observer.disconnect();
  const own = turns
    .map(({ fromMs, toMs, ms }) => {
      const within = pauses.filter(({ startTime }) => startTime >= fromMs && startTime < toMs);
      return Math.max(0, ms - within.reduce((sum, { duration }) => sum + duration, 0));
    })
    .sort((a, b) => a - b);
  return {
    p99: own[Math.floor(0.99 * own.length)] ?? 0,
    longest: own.at(-1) ?? 0,
    overTen: own.filter((ms) => ms > 10).length,
    collecting: Math.max(0, ...pauses.map(({ duration }) => duration)),
  };
}

/** Turns in which nothing was done. */
const SHORT_MS = 0.1;

async function workBeside(loop: RSILoop, from: number): Promise<void> {
  const cycle = loop.runCycle();
  await work(from, (outcome) => loop.observer.record(outcome));
  await cycle;
}

/** Makes the outcomes of a round, 100 every 10 ms. */
async function work(from: number, take: (outcome: Outcome) => void): Promise<void> {
  for (let next = from; next < from + OUTCOMES_PER_ROUND; next += 100) {
    for (let index = next; index < next + 100; index++) take(wideOutcome(index));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A loop with so many finished fixes that took in so many outcomes of the wide world already. */
export async function warmLoop(fixes: number, outcomes: number): Promise<RSILoop> {
  const loop = new RSILoop({ store: await storeWithFinished(fixes, 100_000) });
  await loop.ready();
  for (let index = 0; index < outcomes; index++) {
    loop.observer.record(wideOutcome(index));
    if (index % 10_000 === 9_999) await loop.runCycle();
  }
  await loop.runCycle();
  return loop;
}

export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
