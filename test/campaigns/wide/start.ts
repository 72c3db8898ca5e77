import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { processorMs } from './index.js';
import { wideOutcome } from './world.js';

const PER_CYCLE = 10_000;

/** Processor time in milliseconds of a loop that reads so many stored outcomes of the wide world again, analysis included. */
export async function startMsWithoutState(outcomes: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-wide-'));
  const clock = new ManualClock(wideOutcome(0).atMs);
  try {
    const loop = new RSILoop({ clock, store: new FileStore(folder) });
    await loop.ready();
    for (let index = 0; index < outcomes; index++) {
      loop.observer.record(wideOutcome(index));
      if (index % PER_CYCLE !== PER_CYCLE - 1) continue;
      clock.set(wideOutcome(index).atMs);
      await loop.flush();
      await loop.runCycle();
    }
    await loop.close();
    rmSync(join(folder, 'state'), { recursive: true, force: true });
    const begunMs = processorMs();
    const again = new RSILoop({ clock, store: new FileStore(folder) });
    await again.rebuilt();
    const spentMs = processorMs() - begunMs;
    await again.close();
    return spentMs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
