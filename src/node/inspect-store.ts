import { join, resolve } from 'node:path';
import { LoopError } from '../contract/errors.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Cursor, StoreProblem, WriterState } from '../contract/store.js';
import { type FailedCycles, readFailedCycles } from '../lib/failed-cycles.js';
import { SystemClock } from '../lib/system-clock.js';
import { type FileSystem, ifPresent, readWhole } from './file-system.js';
import { JournalReader } from './journal-reader.js';
import { openFile } from './line.js';
import { NumberedFiles } from './numbered-files.js';
import { machineProcesses } from './process-identity.js';
import { Quarantine } from './quarantine.js';
import { readOnlyFileSystem } from './read-only.js';
import { listSegments } from './segments.js';
import { Snapshots } from './snapshots.js';
import { type LedgerReport, verifyLedger } from './verify-ledger.js';
import { WriterRegistry } from './writer-registry.js';

export interface StoreInspection {
  /** State of `store.json`, which holds the product and its format version. */
  readonly marker: 'intact' | 'missing' | 'damaged' | 'newer';
  /** Undefined if a newer version wrote it. */
  readonly ledger?: LedgerReport;
  readonly cycles: CyclesInspection;
  readonly journal: JournalInspection;
  readonly leases: readonly LeaseInspection[];
  /** Registered processes; those that crashed are listed as not alive. */
  readonly processes: readonly WriterState[];
  /** Number of damaged records copied to quarantine. */
  readonly quarantined: number;
  /** Files that cannot be read, come from a newer version, or do not belong to a store. */
  readonly problems: readonly StoreProblem[];
}

export interface CyclesInspection {
  /** Time of the last cycle that read records, epoch milliseconds; undefined if none did. */
  readonly lastMs?: number;
  /** Records that no cycle has read yet, and the time of the earliest one. */
  readonly waiting: number;
  readonly waitingSinceMs?: number;
  /** Recent cycles that did not finish; undefined if the newest one did. */
  readonly failed?: FailedCycles;
}

export interface JournalInspection {
  readonly writers: number;
  readonly segments: number;
  readonly bytes: number;
  readonly starts: number;
  readonly outcomes: number;
  /** Times of the first and the last record, epoch milliseconds; undefined if there are none. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Records dated in the future, by more than the usual clock skew between machines. */
  readonly ahead: number;
}

export interface LeaseInspection {
  readonly name: string;
  readonly fence: number;
  /** `left`: its holder ended without releasing it; the next process that wants it takes it over. */
  readonly state: 'free' | 'held' | 'left' | 'unreadable';
}

/** Normal clock skew between machines of one fleet. */
const CLOCK_SLACK_MS = 60_000;

/** Reads everything that a `FileStore` keeps in a folder and reports contents and problems. Changes nothing. */
export async function inspectStore(
  folder: string,
  { nowMs = Date.now(), fs = readOnlyFileSystem }: { readonly nowMs?: number; readonly fs?: FileSystem } = {},
): Promise<StoreInspection> {
  const root = resolve(folder);
  const problems: StoreProblem[] = [];
  const tell = (problem: StoreProblem) => void problems.push(problem);
  const board = new WriterRegistry(fs, root, {
    writer: '',
    clock: new SystemClock(),
    processes: machineProcesses(),
    watermark: () => nowMs,
  });
  const processes = await board.all();
  const isAlive = (writer: string) => processes.some((one) => one.writer === writer && one.alive);
  const states = await inspectStates(fs, root, tell);
  const failed = await readFailedCycles(states);
  const { ledger, read, lastMs } = await inspectLedger(root, fs, tell);
  const { waiting, ...journal } = await inspectJournal(fs, root, { nowMs, isAlive, tell, read });
  return {
    marker: await inspectMarker(fs, root),
    ...(ledger && { ledger }),
    cycles: {
      ...waiting,
      ...(lastMs !== undefined && { lastMs }),
      ...(failed && failed.count > 0 && { failed }),
    },
    journal,
    leases: await inspectLeases(fs, root, isAlive),
    processes,
    quarantined: (await namesIn(fs, join(root, 'quarantine'))).length,
    problems,
  };
}

async function inspectMarker(fs: FileSystem, root: string): Promise<StoreInspection['marker']> {
  const bytes = await readWhole(fs, join(root, 'store.json'));
  return bytes === undefined ? 'missing' : openFile('store', bytes).kind;
}

async function inspectLedger(
  root: string,
  fs: FileSystem,
  tell: (problem: StoreProblem) => void,
): Promise<{ readonly ledger?: LedgerReport; readonly read: Cursor; readonly lastMs?: number }> {
  let read: Cursor = {};
  let lastMs: number | undefined;
  const onEntry = (entry: LedgerEntry) => {
    if (entry.kind !== 'cycle') return;
    read = { ...read, ...entry.read };
    lastMs = entry.atMs;
  };
  try {
    const ledger = await verifyLedger(root, fs, onEntry);
    return { ledger, read, ...(lastMs !== undefined && { lastMs }) };
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    tell({ kind: 'foreign', message: error.message });
    return { read };
  }
}

async function inspectJournal(
  fs: FileSystem,
  root: string,
  options: {
    readonly nowMs: number;
    readonly isAlive: (writer: string) => boolean;
    readonly tell: (problem: StoreProblem) => void;
    /** Positions up to which cycles have read. */
    readonly read: Cursor;
  },
): Promise<JournalInspection & { readonly waiting: Pick<CyclesInspection, 'waiting' | 'waitingSinceMs'> }> {
  const folder = join(root, 'journal');
  const { byWriter } = await listSegments(fs, folder);
  const segments = [...byWriter.values()].flat();
  let bytes = 0;
  for (const { path } of segments) bytes += (await ifPresent(fs.stat(path)))?.size ?? 0;

  const reader = new JournalReader(fs, folder, {
    quarantine: new Quarantine(fs, root),
    isWriting: async (writer) => options.isAlive(writer),
    tell: options.tell,
  });
  const found = { starts: 0, outcomes: 0, ahead: 0 };
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let waiting = 0;
  let waitingSinceMs = Number.POSITIVE_INFINITY;
  for await (const batch of reader.read({})) {
    for (const { writer, position, record } of batch) {
      if (record.kind === 'start') found.starts++;
      else found.outcomes++;
      const { atMs } = record.kind === 'start' ? record.start : record.outcome;
      if (atMs > options.nowMs + CLOCK_SLACK_MS) found.ahead++;
      fromMs = Math.min(fromMs, atMs);
      toMs = Math.max(toMs, atMs);
      if (position < (options.read[writer] ?? 0)) continue;
      waiting++;
      waitingSinceMs = Math.min(waitingSinceMs, atMs);
    }
  }
  const reach = fromMs <= toMs ? { fromMs, toMs } : {};
  return {
    writers: byWriter.size,
    segments: segments.length,
    bytes,
    ...found,
    ...reach,
    waiting: { waiting, ...(waiting > 0 && { waitingSinceMs }) },
  };
}

async function inspectLeases(
  fs: FileSystem,
  root: string,
  isAlive: (writer: string) => boolean,
): Promise<LeaseInspection[]> {
  const files = new NumberedFiles(fs, join(root, 'leases'));
  const leases: LeaseInspection[] = [];
  for (const name of await numberedNames(fs, files.folder)) {
    const fence = (await files.numbers(name)).at(-1) ?? 0;
    const bytes = await readWhole(fs, files.path(name, fence));
    const content = bytes && openFile('lease', bytes);
    const owner = content?.kind === 'intact' ? content.value.owner : undefined;
    const held = typeof owner === 'string' ? (isAlive(owner) ? 'held' : 'left') : 'unreadable';
    leases.push({ name, fence, state: owner === '' ? 'free' : held });
  }
  return leases;
}

async function inspectStates(fs: FileSystem, root: string, tell: (problem: StoreProblem) => void): Promise<Snapshots> {
  const files = new NumberedFiles(fs, join(root, 'state'));
  const states = new Snapshots(fs, files, new SystemClock(), tell);
  for (const name of await numberedNames(fs, files.folder)) await states.load(name);
  return states;
}

/** Lists the names in front of the numbers. */
async function numberedNames(fs: FileSystem, folder: string): Promise<readonly string[]> {
  const names = (await namesIn(fs, folder)).map((file) => /^([a-z][a-z0-9-]*)\.\d{12}\.json$/.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

async function namesIn(fs: FileSystem, folder: string): Promise<readonly string[]> {
  return (await ifPresent(fs.readdir(folder))) ?? [];
}
