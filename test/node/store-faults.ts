import { LoopError } from '../../src/contract/errors.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import { seededRandom } from '../../src/lib/random.js';
import { type FileStore, verifyLedger } from '../../src/node/index.js';
import { decideAtLast, decision, decisionsIn, outcome, outcomesIn } from './folder.js';
import { failure, SimulatedDisk } from './simulated-disk.js';
import { type Acknowledged, brokenPromise, simulatedStore, workload } from './simulated-store.js';

/** Result of a run of faults; `broken` is empty when every promise was kept. */
export interface FaultReport {
  readonly tried: number;
  readonly broken: readonly string[];
  readonly [count: string]: number | readonly string[];
}

const NOTHING: Acknowledged = { records: 0, decisions: 0, states: 0 };

/** Cuts the power between any two calls, each time with other writes and names lost, until so many states were seen. */
export async function cutPower(states: number, seed: number): Promise<FaultReport> {
  const random = seededRandom(seed);
  const broken: string[] = [];
  let tried = 0;
  for (let run = 0; tried < states; run++) {
    const disk = new SimulatedDisk();
    const told = { ...NOTHING };
    const found: { readonly disk: SimulatedDisk; readonly told: Acknowledged; readonly call: number }[] = [];
    disk.fault = (call) => {
      if (random() < 0.5) found.push({ disk: disk.afterPowerCut(random), told: { ...told }, call });
    };
    const { store } = simulatedStore(disk, 1, new Set([1]));
    await workload(store, seed + run, told);
    await store.close();
    for (const cut of found) {
      if (tried++ === states) break;
      const promise = await brokenPromise(cut.disk, cut.told).catch(String);
      if (promise !== undefined) broken.push(`run ${run}, call ${cut.call}: ${promise}`);
    }
  }
  return { tried: Math.min(tried, states), broken };
}

/** Kills the process at its k-th call to the file system, for every k. */
export async function killAtEveryCall(seeds: readonly number[]): Promise<FaultReport> {
  const broken: string[] = [];
  let tried = 0;
  for (const seed of seeds) {
    for (let at = 0, ended = false; !ended; at++) {
      const disk = new SimulatedDisk();
      const told = { ...NOTHING };
      let isDead = false;
      disk.fault = (call) => {
        isDead ||= call === at;
        if (isDead) throw failure('EKILLED');
      };
      const { store } = simulatedStore(disk, 1, new Set([1]));
      await workload(store, seed, told).catch(() => undefined);
      ended = !isDead;
      await store.close();
      tried++;
      const promise = await brokenPromise(disk.afterKill(), told).catch(String);
      if (promise !== undefined) broken.push(`seed ${seed}, call ${at}: ${promise}`);
    }
  }
  return { tried, broken };
}

const CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EACCES', 'EROFS'];

/** Lets the disk refuse from its k-th call on for a while, and counts what is kept and what is dropped. */
export async function refuse(lengths: readonly number[], step: number): Promise<FaultReport> {
  const broken: string[] = [];
  let tried = 0;
  let droppedInAll = 0;
  for (const code of CODES) {
    for (const length of lengths) {
      for (let from = 0, ended = false; !ended; from += step) {
        tried++;
        const disk = new SimulatedDisk();
        let refused = 0;
        disk.fault = (call) => {
          if (call < from || call >= from + length) return;
          refused++;
          throw failure(code);
        };
        const { store, clock, problems } = simulatedStore(disk, 1, new Set([1]), { maxQueued: 40 });
        const RECORDS = 100;
        for (let number = 0; number < RECORDS; number++) {
          store.journal.append([outcome(number)]);
          if (store.journal.queued > 40) broken.push(`${code} at ${from}: ${store.journal.queued} records are queued`);
          if (number % 10 === 9) await clock.advance(60);
        }
        await clock.advance(20_000 + length * 6_000);
        await store.journal
          .flush()
          .catch((error: unknown) => broken.push(`${code} at ${from}: does not recover: ${error}`));
        disk.fault = () => {};
        const numbers = (await outcomesIn(store)).map(({ number }) => number);
        await store.close();
        const dropped = problems
          .filter(({ kind }) => kind === 'dropped')
          .reduce((sum, { count }) => sum + (count ?? 0), 0);
        droppedInAll += dropped;
        if (new Set(numbers).size !== numbers.length) broken.push(`${code} at ${from}: a record is there twice`);
        if (numbers.length + dropped !== RECORDS) {
          broken.push(
            `${code} at ${from}, ${length} calls: ${numbers.length} kept and ${dropped} dropped of ${RECORDS}`,
          );
        }
        if (disk.openHandles > 0) broken.push(`${code} at ${from}: ${disk.openHandles} handles are left`);
        ended = refused === 0;
      }
    }
  }
  return { tried, broken, dropped: droppedInAll };
}

/** Faults that may happen to a folder behind the back of a running process. */
const GONE: Readonly<Record<string, (disk: SimulatedDisk) => void>> = {
  deleted: (disk) => disk.removeFolder('/data'),
  'journal deleted': (disk) => disk.removeFolder('/data/journal'),
  moved: (disk) => disk.moveFolder('/data', '/old'),
  replaced: (disk) => disk.replaceFiles('/data'),
};

/** Takes the folder away at the k-th call of a recording process. Every record acknowledged since then is there. */
export async function loseFolder(step: number): Promise<FaultReport> {
  const broken: string[] = [];
  let tried = 0;
  let told = 0;
  for (const [how, change] of Object.entries(GONE)) {
    for (let at = 0, ended = false; !ended; at += step) {
      const disk = new SimulatedDisk();
      let written = 0;
      let safeFrom: number | undefined;
      disk.fault = (call) => {
        if (call !== at) return;
        safeFrom = written;
        change(disk);
      };
      const where = `${how} at call ${at}`;
      const { store, clock, problems } = simulatedStore(disk, 1, new Set([1]));
      const RECORDS = 60;
      while (written < RECORDS) {
        store.journal.append([outcome(written++)]);
        if (written % 5 > 0) continue;
        await clock.advance(600);
        await store.journal.flush().catch((error: unknown) => broken.push(`${where}: ${error}`));
        if (written % 20 === 0) await decideAnew(store, decision(written));
        if (written % 20 === 0 && !(await holdsLease(store))) broken.push(`${where}: the lease does not heal`);
      }
      ended = safeFrom === undefined;
      await store.close();
      tried++;
      told += problems.some(({ kind }) => kind === 'replaced') ? 1 : 0;
      const { store: reader } = simulatedStore(disk, 2, new Set([2]));
      const numbers = (await outcomesIn(reader)).map(({ number }) => number);
      if (new Set(numbers).size !== numbers.length) broken.push(`${where}: a record is there twice`);
      const from = how === 'replaced' ? 0 : (safeFrom ?? 0);
      for (let number = from; number < RECORDS; number++) {
        if (!numbers.includes(number)) broken.push(`${where}: record ${number} is lost`);
      }
      const { faults } = await verifyLedger('/data', disk);
      if (faults.length > 0) broken.push(`${where}: ${faults[0]?.message}`);
      await reader.close();
      if (disk.openHandles > 0) broken.push(`${where}: ${disk.openHandles} handles are left`);
    }
  }
  return { tried, broken, told };
}

/** Decides although the ledger may have been taken away just before. */
async function decideAnew(store: FileStore, entry: LedgerEntry): Promise<void> {
  await decideAtLast(store, entry).catch((error: unknown) => {
    if (!LoopError.is(error) || error.code !== 'store-replaced') throw error;
    return decideAtLast(store, entry);
  });
}

async function holdsLease(store: FileStore): Promise<boolean> {
  // The folder may go in the middle of the first one.
  for (let attempt = 0; attempt < 2; attempt++) {
    const lease = await store.coordination.lease('cycle');
    if (lease === undefined || (await lease.held())) return true;
  }
  return false;
}

const FLIPPED = ['/data/journal/', '/data/ledger/', '/data/state/', '/data/head/', '/data/store.json'];

/** Flips one bit somewhere, each time in a fresh copy; every flip has to be noticed and may take one record with it. */
export async function flipBits(flips: number, seed: number): Promise<FaultReport> {
  const random = seededRandom(seed);
  const disk = new SimulatedDisk();
  const { store } = simulatedStore(disk, 1, new Set([1]));
  const RECORDS = 40;
  const DECISIONS = 8;
  for (let number = 0; number < RECORDS; number++) store.journal.append([outcome(number)]);
  for (let number = 0; number < DECISIONS; number++) await decideAtLast(store, decision(number));
  await store.snapshots.save('patterns', { text: 'x'.repeat(500) }, 0);
  await store.close();
  const paths = disk.paths().filter((path) => FLIPPED.some((start) => path.startsWith(start)));
  const broken: string[] = [];
  let lost = 0;
  for (let flip = 0; flip < flips; flip++) {
    const path = paths[Math.floor(random() * paths.length)] ?? '';
    const original = disk.content(path);
    const changed = Buffer.from(original);
    const bit = Math.floor(random() * changed.byteLength * 8);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    disk.overwrite(path, changed);
    const { store: reader, problems } = simulatedStore(disk, 2, new Set([2]));
    const records = await outcomesIn(reader);
    const decisions = await decisionsIn(reader);
    await reader.snapshots.load('patterns');
    const { ok } = await verifyLedger('/data', disk);
    const where = `${path} bit ${bit}`;
    const noticed = problems.some(({ kind }) => kind === 'damaged' || kind === 'foreign');
    if (!noticed && ok) broken.push(`${where} was not noticed`);
    if (path.startsWith('/data/ledger/') && ok) broken.push(`${where} was not found by verifyLedger`);
    if (records.length < RECORDS - 1 || decisions.length < DECISIONS - 1) broken.push(`${where} took neighbours along`);
    lost += RECORDS - records.length + DECISIONS - decisions.length;
    await reader.close();
    for (const leftover of disk.paths()) {
      if (leftover.startsWith('/data/quarantine/') || leftover.endsWith('.damaged')) await disk.unlink(leftover);
    }
    disk.overwrite(path, original);
  }
  return { tried: flips, broken, lost };
}

/** Cuts the last line at every byte, and adds up to 4,096 random bytes behind the end. */
export async function tearTails(tails: number, seed: number): Promise<FaultReport> {
  const random = seededRandom(seed);
  const disk = new SimulatedDisk();
  const { store } = simulatedStore(disk, 1, new Set([1]), { segmentBytes: 1_000_000 });
  const RECORDS = 5;
  for (let number = 0; number < RECORDS; number++) store.journal.append([outcome(number)]);
  await store.close();
  const path = disk.paths().find((name) => name.startsWith('/data/journal/')) ?? '';
  const original = disk.content(path);
  const lastLine = original.lastIndexOf(10, original.byteLength - 2) + 1;
  const broken: string[] = [];
  let tried = 0;
  const check = async (bytes: Buffer, least: number, what: string) => {
    tried++;
    disk.overwrite(path, bytes);
    const { store: reader } = simulatedStore(disk, 2, new Set([2]));
    const numbers = (await outcomesIn(reader)).map(({ number }) => number);
    const whole = numbers.every((number, index) => number === index);
    if (!whole || numbers.length < least || numbers.length > RECORDS)
      broken.push(`${what}: ${numbers.join(' ')} are left`);
    await reader.close();
    for (const leftover of disk.paths()) if (leftover.startsWith('/data/quarantine/')) await disk.unlink(leftover);
  };
  for (let end = lastLine; end < original.byteLength; end++) {
    // Only the line break is missing from the last one: the record is whole.
    const least = end === original.byteLength - 1 ? RECORDS : RECORDS - 1;
    await check(original.subarray(0, end), least, `cut at byte ${end}`);
  }
  for (let tail = 0; tail < tails; tail++) {
    const length = 1 + Math.floor(random() * 4_096);
    const garbage = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    await check(Buffer.concat([original, garbage]), RECORDS, `${length} random bytes`);
  }
  return { tried, broken };
}
