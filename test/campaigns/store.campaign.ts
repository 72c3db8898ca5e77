/** The long versions of test/node/store-faults.slow.test.ts and processes.slow.test.ts, and a soak on a disk that fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/lib/random.js';
import { craftContent } from '../node/crafted-store.js';
import { bundleRecorder, killAtRandom } from '../node/processes.js';
import { soakFailingDisk } from '../node/soak.js';
import {
  cutPower,
  type FaultReport,
  flipBits,
  killAtEveryCall,
  loseFolder,
  refuse,
  tearTails,
} from '../node/store-faults.js';
import { campaigns } from './run-campaigns.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-campaign-'));
const run = campaigns();

async function kills(processes: number, records: number, count: number): Promise<FaultReport> {
  const script = await bundleRecorder(folder);
  const place = mkdtempSync(join(folder, 'kills-'));
  return killAtRandom({ folder: place, script, processes, records, kills: count, random: seededRandom(7) });
}

try {
  await run('power cuts', () => cutPower(10_000, 1));
  await run('kills at every call', () => killAtEveryCall([1, 2, 3, 4, 5]));
  await run('refusing disk', () => refuse([1, 3, 30, 200], 1));
  await run('folders lost', () => loseFolder(1));
  await run('crafted content', () => craftContent(50, 1));
  await run('flipped bits', () => flipBits(10_000, 1));
  await run('torn ends', () => tearTails(2_000, 1));
  await run('kill -9, three processes', () => kills(3, 40_000, 1_000));
  await run('kill -9, eight processes of 5,000 records', () => kills(8, 5_000, 100));
  await run('soak on a failing disk', () => soakFailingDisk(folder, 1_000_000));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
