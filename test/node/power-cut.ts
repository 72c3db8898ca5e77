import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { FileStore, verifyLedger } from '../../src/node/index.js';
import { outcomesIn } from './folder.js';
import { bundleRecorder, startRecorder } from './processes.js';
import type { FaultReport } from './store-faults.js';

const IMAGE_BYTES = 64 * 1_024 * 1_024;
/** Stops a mounted ext4, which forgets what is not on its device: EXT4_IOC_SHUTDOWN without a flush of the log. */
const CUT = 'open(my $at, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($at, 0x8004587D, $how) or die "$!\\n"';

/** Says why no power can be cut here; undefined if it can. Only root may attach block devices. */
export function whyNoBlockDevice(folder: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a block device needs Linux and root';
  try {
    const disk = new Disk(mkdtempSync(join(folder, 'try-')));
    disk.remove();
    return undefined;
  } catch (error) {
    return `no block device can be attached here: ${error instanceof Error ? error.message.slice(0, 200) : ''}`;
  }
}

/** A block device with a file system of its own, whose power can be cut. */
class Disk {
  readonly place: string;
  #image: string;

  constructor(folder: string) {
    this.#image = join(folder, 'disk.img');
    this.place = join(folder, 'disk');
    mkdirSync(this.place);
    writeFileSync(this.#image, '');
    truncateSync(this.#image, IMAGE_BYTES);
    run('mkfs.ext4', ['-q', '-F', this.#image]);
    this.#mount();
  }

  cutPower(): void {
    run('perl', ['-e', CUT, this.place]);
  }

  /** Mounts it again, as a machine does that gets its power back. */
  restart(): void {
    run('umount', [this.place]);
    // The kernel may keep the stopped file system for a moment, and would mount it again from the same file.
    const copy = `${this.#image}+`;
    copyFileSync(this.#image, copy);
    rmSync(this.#image);
    this.#image = copy;
    this.#mount();
  }

  remove(): void {
    run('umount', [this.place]);
    rmSync(this.#image);
  }

  #mount(): void {
    run('mount', ['-o', 'loop', this.#image, this.place]);
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/**
 * Records onto a block device, cuts its power at random moments and starts it again. Everything acknowledged has to be there,
 * once, and a file that was not flushed has to be gone: otherwise the device forgets nothing.
 */
export async function cutBlockDevice(folder: string, cuts: number, seed: number): Promise<FaultReport> {
  const script = await bundleRecorder(folder);
  const disk = new Disk(mkdtempSync(join(folder, 'device-')));
  const random = seededRandom(seed);
  const broken: string[] = [];
  let [next, records, decisions, forgotten] = [0, 0, 0, 0];
  const safe = new Set<number>();
  try {
    for (let cut = 0; cut < cuts; cut++) {
      const plain = join(disk.place, `plain-${cut}.txt`);
      const lines = await recordUntilCut(disk, { script, first: next, random, plain });
      const flushed = lines.filter((line) => line.startsWith('f ')).map((line) => Number(line.slice(2)));
      for (let number = next; number < (flushed.at(-1) ?? next); number++) safe.add(number);
      decisions += lines.filter((line) => line.startsWith('d ')).length;
      next = (flushed.at(-1) ?? next) + UNACKNOWLEDGED;
      disk.restart();
      if (!existsSync(plain) || statSync(plain).size === 0) forgotten++;
      broken.push(...(await faultsOf(join(disk.place, 'data'), safe, decisions)).map((what) => `cut ${cut}: ${what}`));
    }
    records = safe.size;
  } finally {
    disk.remove();
  }
  if (forgotten === 0) broken.push('the device forgot nothing');
  if (records === 0) broken.push('nothing was acknowledged');
  return { tried: cuts, broken, records, decisions, forgotten };
}

/** More than one life can have written without being told. */
const UNACKNOWLEDGED = 100;

interface Life {
  readonly script: string;
  /** Number of its first record. */
  readonly first: number;
  readonly random: Random;
  /** File that is written and never flushed. */
  readonly plain: string;
}

/** Returns what a process was promised before the power was cut. */
async function recordUntilCut(disk: Disk, { script, first, random, plain }: Life): Promise<readonly string[]> {
  const recorder = startRecorder(script, [join(disk.place, 'data'), 'record', String(first), '1000000']);
  await recorder.waitFor('f ');
  await new Promise((resolve) => setTimeout(resolve, random() * 200));
  writeFileSync(plain, 'not flushed');
  // A process that loses its power says nothing more. This one is not on that device: ext4 lets an fsync that is under way end as if
  // it had succeeded, and it would pass that on.
  await halt(recorder.child.pid ?? 0);
  disk.cutPower();
  recorder.child.kill('SIGKILL');
  await recorder.ended;
  return recorder.lines;
}

/** Stops a process, and waits until none of its threads runs: a call of the system may end, and nothing after it. */
async function halt(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  const isRunning = (task: string) => !/^\S+ \(.*\) [TD] /s.test(readFileSync(join(tasks, task, 'stat'), 'utf8'));
  while (readdirSync(tasks).some(isRunning)) await new Promise(setImmediate);
}

async function faultsOf(folder: string, safe: ReadonlySet<number>, decisions: number): Promise<readonly string[]> {
  const store = new FileStore(folder);
  const found = (await outcomesIn(store)).map(({ number }) => number);
  await store.close();
  const numbers = new Set(found);
  const lost = [...safe].filter((number) => !numbers.has(number)).length;
  const ledger = await verifyLedger(folder);
  // A cut within the first decision leaves a line without a head: nothing was promised yet.
  const isFirst = decisions === 0;
  const wrong = ledger.faults.find(({ kind }) => kind !== 'beyond-head' && !(isFirst && kind === 'no-head'));
  return [
    ...(lost > 0 ? [`${lost} acknowledged records are lost`] : []),
    ...(found.length > numbers.size ? [`${found.length - numbers.size} records are there twice`] : []),
    ...(wrong === undefined ? [] : [wrong.message]),
    ...(ledger.head.length < decisions ? [`${decisions - ledger.head.length} decisions are lost`] : []),
  ];
}
