import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { outcomesOf, type TrialReport } from './trials.js';

/** Turns folders into links to another one and back, as fast as it can, until its flag is set. Returns the number of swaps. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { parentPort, workerData: { places, victim, flag } } = require('node:worker_threads');
const attempt = (work) => { try { work(); return true; } catch { return false; } };
let swaps = 0;
parentPort.postMessage('ready');
while (Atomics.load(flag, 0) === 0) {
  const place = places[swaps % places.length];
  if (!attempt(() => renameSync(place, place + '.aside'))) { swaps++; continue; }
  attempt(() => symlinkSync(victim, place));
  attempt(() => unlinkSync(place));
  // A folder that was created meanwhile stays, with what is in it; the other one too.
  attempt(() => renameSync(place + '.aside', place)) || attempt(() => renameSync(place + '.aside', place + '.aside-' + swaps));
  swaps++;
}
parentPort.postMessage(swaps);
`;

/**
 * Drops files into a folder whose places another thread turns into links to the outside and back. Nothing may be written
 * outside, and each file is recorded at most once, and once if it was not moved away by the swaps.
 */
export async function raceDropLinks(place: string, races: number): Promise<TrialReport> {
  const [folder, victim] = [join(place, 'inbox'), join(place, 'outside')];
  mkdirSync(folder);
  mkdirSync(victim);
  const store = new FileStore(mkdtempSync(join(place, 'data-')));
  const loop = new RSILoop({ store });
  await loop.ready();
  const drops = new DropFolder(loop, folder, { settleMs: 0 });
  await drops.poll();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const places = ['done', 'rejected', '.processing'].map((name) => join(folder, name));
  const swapper = new Worker(SWAPPER, { eval: true, workerData: { places, victim, flag } });
  const message = () => new Promise((resolve) => swapper.once('message', resolve));
  await message();
  const broken: string[] = [];
  let refused = 0;
  for (let race = 0; race < races; race++) {
    writeFileSync(join(folder, `race-${race}.json`), JSON.stringify({ id: `race-${race}`, task: 't', success: true }));
    if (race % 5 === 0) writeFileSync(join(folder, `bad-${race}.json`), '{');
    await drops.poll().catch(() => void refused++);
  }
  const over = message();
  Atomics.store(flag, 0, 1);
  const swaps = Number(await over);
  await swapper.terminate();
  await drops.close();
  await loop.flush();
  await loop.close();
  const reader = new FileStore(store.folder);
  const ids = (await outcomesOf(reader)).map(({ id }) => id);
  await reader.close();
  const outside = readdirSync(victim);
  const doubled = ids.length - new Set(ids).size;
  const waiting = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split('/').at(-1)),
  );
  const lost = Array.from({ length: races }, (_, race) => `race-${race}`).filter(
    (id) => !(ids as readonly string[]).includes(id) && ![...waiting].some((name) => name?.startsWith(`${id}.`)),
  );
  if (outside.length > 0) broken.push(`${outside.length} files outside: ${outside[0]}`);
  if (doubled > 0) broken.push(`${doubled} outcomes are there twice`);
  if (lost.length > 0) broken.push(`${lost.length} files are lost: ${lost[0]}`);
  return { races, swaps, refused, recorded: ids.length, lost: lost.length, doubled, escapes: outside.length, broken };
}
