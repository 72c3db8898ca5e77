import { RSILoop } from 'rsi-loop';
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

export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
