import type { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import type { FaultReport } from '../node/store-faults.js';
import { networkError, World } from './world.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Times that a wall clock may jump to, and a clock that stands still for a while. */
const JUMPS: readonly (readonly [name: string, ms: number])[] = [
  ['an hour back', -HOUR_MS],
  ['two seconds back', -2_000],
  ['a year back', -365 * DAY_MS],
  ['an hour ahead', HOUR_MS],
  ['a year ahead', 365 * DAY_MS],
  ['a minute ahead, again and again', 60_000],
  ['standing still', 0],
];

/**
 * Lets the wall clock of working loops jump at random moments, back to back with restarts. Every task has to be kept once,
 * every cycle has to end, and no jump may confirm a fix: no evidence comes with it.
 */
export async function jumpClocks(folderOf: () => string, worlds: number): Promise<FaultReport> {
  const broken: string[] = [];
  let tried = 0;
  let lost = 0;
  let doubled = 0;
  for (let number = 0; number < worlds; number++) {
    const folder = folderOf();
    let startMs = Date.UTC(2026, 0, 5);
    let tasks = 0;
    for (let life = 0; life < 2; life++) {
      const seed = 2 * number + life;
      const world = new World({ store: new FileStore(folder) }, { seed, startMs });
      await world.loop.ready();
      await world.work(60, () => (world.happens(0.3) ? networkError() : undefined));
      tasks += 60;
      for (let jump = 0; jump < 3; jump++) {
        const [name, ms] = JUMPS[(7 * number + 3 * life + jump) % JUMPS.length] ?? ['', 0];
        tried++;
        const confirmed = confirmedBy(world.loop);
        world.clock.isStuck = ms === 0;
        world.clock.set(world.clock.now() + ms);
        const report = await world.loop.runCycle();
        const where = `world ${number}, ${name}`;
        if (report.unfinished !== undefined) broken.push(`${where}: a cycle was not finished: ${report.unfinished}`);
        if (confirmedBy(world.loop) > confirmed) broken.push(`${where}: the jump confirmed a fix`);
        await world.work(20, () => (world.happens(0.3) ? networkError() : undefined));
        tasks += 20;
        world.clock.isStuck = false;
        const { score } = world.loop.health();
        if (!(score >= 0 && score <= 1)) broken.push(`${where}: health is ${score}`);
      }
      startMs = world.clock.now();
      await world.loop.close();
    }
    const store = new FileStore(folder);
    const ids: string[] = [];
    for await (const { record } of store.journal.read()) if (record.kind === 'outcome') ids.push(record.outcome.id);
    await store.close();
    const kept = new Set(ids).size;
    lost += Math.max(0, tasks - kept);
    doubled += ids.length - kept;
    if (kept !== tasks || ids.length !== kept) broken.push(`world ${number}: ${ids.length} records of ${tasks} tasks`);
  }
  return { tried, broken, lost, doubled };
}

function confirmedBy(loop: RSILoop): number {
  return loop.fixes().filter(({ status }) => status === 'confirmed').length;
}
