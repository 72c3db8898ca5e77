import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MemoryStore, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { storeWithFinished, wideOutcome } from './world.js';

/** What a loop costs on a ledger with so many finished fixes, in milliseconds of processor time. */
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

/** Makes outcomes of the wide world, 100 every 10 ms, and measures how late the event loop is: with a loop, or bare. */
export async function delayOfHost(outcomes: number, loop?: RSILoop): Promise<HostDelay> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let next = 0; next < outcomes; next += 100) {
    for (let index = next; index < next + 100; index++) {
      const outcome = wideOutcome(index);
      loop?.observer.record(outcome);
    }
    if (loop && next % 20_000 === 0) void loop.runCycle();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  delay.disable();
  const ms = (nanoseconds: number) => nanoseconds / 1e6;
  return { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), longest: ms(delay.max) };
}

/** A loop that took in so many outcomes of the wide world already. */
export async function warmLoop(outcomes: number): Promise<RSILoop> {
  const loop = new RSILoop({ store: new MemoryStore() });
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
