import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import type { Cursor } from '../../src/contract/journal.js';
import { seededRandom } from '../../src/lib/random.js';
import { FileStore, type FileSystem, machineFileSystem } from '../../src/node/index.js';
import { wideOutcome } from '../campaigns/wide/world.js';
import { outcome, outcomesIn } from './folder.js';
import { failure } from './simulated-disk.js';
import type { FaultReport } from './store-faults.js';

/** Time of a run, however many outcomes it has: the window of seven days is full before its last half. */
const SPAN_MS = 14 * 86_400_000;
/** Outcomes between two cycles. */
const PER_CYCLE = 20_000;
/** Heap in use may grow by this share from the third quarter to the last. */
const MOST_GROWTH = 0.15;

/**
 * Records outcomes of the wide world, 2,000 tasks and 500 models, into a loop over a folder, with a cycle after every 20,000.
 * Another reader of the folder counts them. Neither the heap nor the cost of a cycle may go on growing.
 */
export async function soakWideWorld(folder: string, outcomes: number): Promise<FaultReport> {
  const data = mkdtempSync(join(folder, 'wide-'));
  const stepMs = SPAN_MS / outcomes;
  const clock = new ManualClock(wideOutcome(0).atMs);
  const loop = new RSILoop({ clock, store: new FileStore(data) });
  const broken: string[] = [];
  loop.on('problem', ({ message }) => void broken.push(message));
  loop.on('outcomes-dropped', ({ count }) => void broken.push(`${count} outcomes were dropped`));
  await loop.ready();
  const reader = new FileStore(data);
  const counted = new Uint8Array(outcomes);
  let after: Cursor = {};
  const cycles: number[] = [];
  const heapMb: number[] = [];
  for (let number = 0; number < outcomes; number += PER_CYCLE) {
    for (let index = number; index < number + PER_CYCLE; index++) loop.observer.record(wideOutcome(index, stepMs));
    await clock.advance(wideOutcome(number + PER_CYCLE, stepMs).atMs - clock.now());
    await loop.flush();
    const begunUs = process.cpuUsage().user;
    const { unfinished } = await loop.runCycle();
    cycles.push((process.cpuUsage().user - begunUs) / 1_000);
    if (unfinished !== undefined) broken.push(`a cycle was not finished: ${unfinished}`);
    after = await countNew(reader, after, counted);
    globalThis.gc?.();
    heapMb.push(process.memoryUsage().heapUsed / 1_048_576);
  }
  await loop.close();
  await countNew(reader, after, counted);
  await reader.close();
  const lost = counted.filter((times) => times === 0).length;
  const doubled = counted.filter((times) => times > 1).length;
  if (lost + doubled > 0) broken.push(`${lost} records are lost and ${doubled} there twice`);
  const [heapBefore, heapAfter] = lastQuarters(heapMb);
  if (outcomes >= 1_000_000 && heapAfter > (1 + MOST_GROWTH) * heapBefore)
    broken.push(`the heap grew from ${heapBefore.toFixed(0)} to ${heapAfter.toFixed(0)} MB`);
  const [cycleBefore, cycleAfter] = lastQuarters(cycles);
  if (outcomes >= 1_000_000 && cycleAfter > 1.5 * cycleBefore)
    broken.push(`cycles went from ${cycleBefore.toFixed(0)} to ${cycleAfter.toFixed(0)} ms`);
  return { tried: outcomes, broken, lost, doubled, heapMb: Math.round(heapAfter), cycleMs: Math.round(cycleAfter) };
}

async function countNew(reader: FileStore, after: Cursor, counted: Uint8Array): Promise<Cursor> {
  const next: Record<string, number> = { ...after };
  for await (const { writer, position, record } of reader.journal.read(after)) {
    next[writer] = position + 1;
    if (record.kind !== 'outcome') continue;
    const number = Number(record.outcome.id.slice(1));
    counted[number] = (counted[number] ?? 0) + 1;
  }
  return next;
}

/** Means of the third quarter and of the last one. */
function lastQuarters(values: readonly number[]): readonly [third: number, last: number] {
  const quarter = Math.floor(values.length / 4);
  return [mean(values.slice(2 * quarter, 3 * quarter)), mean(values.slice(3 * quarter))];
}

/** Records through a disk of which every hundredth call fails, and looks for anything that grows. */
export async function soakFailingDisk(folder: string, records: number): Promise<FaultReport> {
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
    store.journal.append([outcome(number)]);
    if (number % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 2));
    if (number % (records / 20) !== 0 || number === 0) continue;
    await store.journal.flush().catch(() => undefined);
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 1_048_576);
    descriptors.push(process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  }
  isFaulty = false;
  await store.journal.flush();
  const numbers = new Set((await outcomesIn(store)).map(({ number }) => number));
  await store.close();
  const broken: string[] = [];
  if (numbers.size + dropped !== records) broken.push(`${numbers.size} kept and ${dropped} dropped of ${records}`);
  const half = Math.floor(heap.length / 2);
  const growth = mean(heap.slice(half)) - mean(heap.slice(0, half));
  if (growth > 8)
    broken.push(`the heap grew by ${growth.toFixed(1)} MB: ${heap.map((value) => value.toFixed(0)).join(' ')}`);
  const spread = Math.max(...descriptors) - Math.min(...descriptors);
  if (spread > 4) broken.push(`descriptors: ${descriptors.join(' ')}`);
  return { tried: records, broken, dropped, heapGrowthKb: Math.round(growth * 1_024), descriptorSpread: spread };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
