/** The long versions of test/node/store-faults.test.ts and processes.test.ts, and the soak. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/lib/random.js';
import { FileStore, type FileSystem, machineFileSystem } from '../../src/node/index.js';
import { craftContent } from '../node/crafted-store.js';
import { outcome, outcomesIn } from '../node/folder.js';
import { bundleRecorder, killAtRandom } from '../node/processes.js';
import { failure } from '../node/simulated-disk.js';
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

/** Records through a disk of which every hundredth call fails, and looks for anything that grows. */
async function soak(records: number): Promise<FaultReport> {
  const random = seededRandom(11);
  let isFaulty = true;
  const faulty = new Proxy(machineFileSystem, {
    get(target, name: keyof FileSystem) {
      const real = target[name] as (...args: unknown[]) => unknown; // every member is a function
      return (...args: unknown[]) => {
        // A close that fails has closed; a failed one that has not would be our own leak.
        if (!isFaulty || name === 'close' || random() >= 0.01) return real(...args);
        if (name.endsWith('Sync')) throw failure('EIO');
        return Promise.reject(failure('EIO'));
      };
    },
  });
  const store = new FileStore(mkdtempSync(join(folder, 'soak-')), { fs: faulty, segmentBytes: 1_000_000 });
  let dropped = 0;
  store.onProblem(({ kind, count }) => {
    if (kind === 'dropped') dropped += count ?? 0;
  });
  const heap: number[] = [];
  const descriptors: number[] = [];
  for (let number = 0; number < records; number++) {
    store.write([outcome(number)]);
    if (number % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 2));
    if (number % (records / 20) !== 0 || number === 0) continue;
    await store.flush().catch(() => undefined);
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 1_048_576);
    descriptors.push(process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  }
  isFaulty = false;
  await store.flush();
  const numbers = new Set((await outcomesIn(store)).map(({ number }) => number));
  await store.close();
  const broken: string[] = [];
  if (numbers.size + dropped !== records) broken.push(`${numbers.size} kept and ${dropped} dropped of ${records}`);
  const half = Math.floor(heap.length / 2);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const growth = mean(heap.slice(half)) - mean(heap.slice(0, half));
  if (growth > 8)
    broken.push(`the heap grew by ${growth.toFixed(1)} MB: ${heap.map((value) => value.toFixed(0)).join(' ')}`);
  const spread = Math.max(...descriptors) - Math.min(...descriptors);
  if (spread > 4) broken.push(`descriptors: ${descriptors.join(' ')}`);
  return { tried: records, broken, dropped, heapGrowthKb: Math.round(growth * 1_024), descriptorSpread: spread };
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
  await run('soak', () => soak(1_000_000));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
