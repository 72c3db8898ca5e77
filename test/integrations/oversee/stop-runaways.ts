import type { ChildProcess } from 'node:child_process';
import { supervise } from '../../../integrations/oversee/index.js';
import { RSILoop } from '../../../src/index.js';
import { LIMIT, lives, RUNAWAYS, type Runaway } from './runaways.js';

/** Longest time from the limit to the end of the run with its processes. */
const MOST_MS = 1_000;

/** Stops each kind of runaway, and reports those that lived for more than a second after their limit. */
export async function stopRunaways() {
  const loop = new RSILoop();
  const broken: string[] = [];
  // The timers of a watch do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  let latestMs = 0;
  for (const runaway of RUNAWAYS) {
    const { lateMs, left } = await stop(loop, runaway);
    latestMs = Math.max(latestMs, lateMs);
    if (left > 0 || !(lateMs <= MOST_MS))
      broken.push(`${runaway.name}: ended ${Math.round(lateMs)} ms after its limit, ${left} processes left`);
  }
  clearInterval(alive);
  await loop.close();
  return { kinds: RUNAWAYS.length, latestMs: Math.round(latestMs), broken };
}

async function stop(loop: RSILoop, { why, options, work }: Runaway) {
  const children: ChildProcess[] = [];
  let stoppedMs = Number.NaN;
  const onStop = () => (stoppedMs = performance.now());
  const guarded = supervise(loop, { ...LIMIT, ...options, onStop });
  const startedMs = performance.now();
  // Limits of time are known beforehand; others are reached when a call is refused or the watch decides.
  const knownMs = why === 'time' ? 60_000 * (LIMIT.budget?.minutes ?? 0) : undefined;
  await guarded('work', (run) => {
    return work(run, (child) => {
      children.push(child);
      return child;
    });
  }).catch(() => undefined);
  const limitMs = knownMs === undefined ? stoppedMs - graceMs(options) : startedMs + knownMs;
  // A killed process needs a moment to end.
  while (children.some(lives) && performance.now() - limitMs < 2 * MOST_MS)
    await new Promise((next) => setTimeout(next, 5));
  return { lateMs: performance.now() - limitMs, left: children.filter(lives).length };
}

/** Longest time between a stop and its receipt. */
function graceMs(options: Runaway['options']): number {
  return options?.graceMs ?? LIMIT.graceMs ?? 0;
}
