import type { WriterState } from '../contract/coordination.js';
import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { StoreProblem } from '../contract/store.js';
import { type FailedCycles, readFailedCycles } from '../lib/failed-cycles.js';
import { FileSnapshots } from './file-snapshots.js';
import { type FileSystem, ifPresent, readWhole } from './file-system.js';
import { FORMAT } from './format.js';
import { JournalReader } from './journal-reader.js';
import { openFile } from './line.js';
import { findMissing, type MissingRecords, type ReadProgress } from './missing-records.js';
import { machineProcesses } from './process-identity.js';
import { Quarantine } from './quarantine.js';
import { readOnlyFileSystem } from './read-only.js';
import { listSegments } from './segments.js';
import { StoreFolder } from './store-folder.js';
import { type LedgerReport, verifyLedger } from './verify-ledger.js';
import { WriterRegistry } from './writer-registry.js';

/** Result of one check of a store. */
export interface StoreCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** Suggested action; present only if something needs attention. */
  readonly advice?: string;
}

/** Findings of an inspection of a store's folder. */
export interface StoreInspection {
  /** State of `store.json`, which holds the product and its format version. */
  readonly marker: 'intact' | 'missing' | 'damaged' | 'older-format' | 'newer-format' | 'foreign';
  /** Undefined if another version wrote it. */
  readonly ledger?: LedgerReport;
  readonly cycles: CyclesInspection;
  readonly journal: JournalInspection;
  /** Records that cycles counted, that the journal lacks, and that retention did not delete. */
  readonly missing: readonly MissingRecords[];
  readonly leases: readonly LeaseInspection[];
  /** Registered processes; those that crashed are listed as not alive. */
  readonly processes: readonly WriterState[];
  /** Number of damaged records copied to quarantine. */
  readonly quarantined: number;
  /** Files that cannot be read, come from another version, or do not belong to a store. */
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
  const store = new StoreFolder(folder, { fs, isInspected: true });
  const problems: StoreProblem[] = [];
  store.onProblem((problem) => problems.push(problem));
  const registry = new WriterRegistry(store, { writer: '', processes: machineProcesses(), watermark: () => nowMs });
  const processes = await registry.all();
  const isAlive = (writer: string) => processes.some((one) => one.writer === writer && one.alive);
  const failed = await readFailedCycles(await inspectSnapshots(store));
  const { ledger, progress, lastMs } = await inspectLedger(store);
  const { waiting, missing, ...journal } = await inspectJournal(store, { nowMs, isAlive, read: progress });
  return {
    marker: await inspectMarker(store),
    ...(ledger && { ledger }),
    cycles: {
      ...waiting,
      ...(lastMs !== undefined && { lastMs }),
      ...(failed && failed.count > 0 && { failed }),
    },
    journal,
    missing,
    leases: await inspectLeases(store, isAlive),
    processes,
    quarantined: (await namesIn(store, 'quarantine')).length,
    problems,
  };
}

async function inspectMarker(store: StoreFolder): Promise<StoreInspection['marker']> {
  const bytes = await readWhole(store.fs, store.inside('store.json'));
  if (bytes === undefined) return 'missing';
  const content = openFile('store', bytes);
  if (content.kind !== 'other-format') return content.kind;
  if (typeof content.format !== 'number') return 'foreign';
  return content.format > FORMAT ? 'newer-format' : 'older-format';
}

async function inspectLedger(store: StoreFolder): Promise<{
  readonly ledger?: LedgerReport;
  readonly progress: ReadonlyMap<string, ReadProgress>;
  readonly lastMs?: number;
}> {
  const progress = new Map<string, ReadProgress>();
  let lastMs: number | undefined;
  const onEntry = (entry: LedgerEntry) => {
    if (entry.kind !== 'cycle') return;
    lastMs = entry.atMs;
    for (const [writer, upTo] of Object.entries(entry.read)) {
      const before = progress.get(writer);
      if (before?.upTo === upTo) continue;
      const times = { firstMs: before?.firstMs ?? entry.atMs, lastMs: entry.atMs };
      progress.set(writer, { upTo, ...times, ...(before && { beforeMs: before.lastMs }) });
    }
  };
  try {
    const ledger = await verifyLedger(store.path, store.fs, onEntry);
    return { ledger, progress, ...(lastMs !== undefined && { lastMs }) };
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    store.report({ kind: 'foreign', message: error.message });
    return { progress };
  }
}

async function inspectJournal(
  store: StoreFolder,
  options: {
    readonly nowMs: number;
    readonly isAlive: (writer: string) => boolean;
    /** Positions up to which cycles have read. */
    readonly read: ReadonlyMap<string, ReadProgress>;
  },
): Promise<
  JournalInspection &
    Pick<StoreInspection, 'missing'> & {
      readonly waiting: Pick<CyclesInspection, 'waiting' | 'waitingSinceMs'>;
    }
> {
  const { fs } = store;
  const { byWriter } = await listSegments(fs, store.inside('journal'));
  const segments = [...byWriter.values()].flat();
  let bytes = 0;
  for (const { path } of segments) bytes += (await ifPresent(fs.stat(path)))?.size ?? 0;

  const reader = new JournalReader(store, {
    quarantine: new Quarantine(store),
    isWriting: async (writer) => options.isAlive(writer),
  });
  const all = new RecordCount();
  const ahead = new RecordCount();
  const waiting = new RecordCount();
  for await (const batch of reader.read({})) {
    for (const { writer, position, record } of batch) {
      all.add(record);
      if (timeOf(record) > options.nowMs + CLOCK_SLACK_MS) ahead.add(record);
      if (position >= (options.read.get(writer)?.upTo ?? 0)) waiting.add(record);
    }
  }
  return {
    writers: byWriter.size,
    segments: segments.length,
    bytes,
    starts: all.starts,
    outcomes: all.outcomes,
    ahead: ahead.total,
    missing: await findMissing(fs, byWriter, { read: options.read, nowMs: options.nowMs, bytes }),
    ...(all.total > 0 && { fromMs: all.fromMs, toMs: all.toMs }),
    waiting: { waiting: waiting.total, ...(waiting.total > 0 && { waitingSinceMs: waiting.fromMs }) },
  };
}

/** Number of records, and the times of the first and the last one. */
class RecordCount {
  starts = 0;
  outcomes = 0;
  fromMs = Number.POSITIVE_INFINITY;
  toMs = Number.NEGATIVE_INFINITY;

  get total(): number {
    return this.starts + this.outcomes;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'start') this.starts++;
    else this.outcomes++;
    this.fromMs = Math.min(this.fromMs, timeOf(record));
    this.toMs = Math.max(this.toMs, timeOf(record));
  }
}

function timeOf(record: JournalRecord): number {
  return (record.kind === 'start' ? record.start : record.outcome).atMs;
}

async function inspectLeases(store: StoreFolder, isAlive: (writer: string) => boolean): Promise<LeaseInspection[]> {
  const files = store.numbered('leases');
  const leases: LeaseInspection[] = [];
  for (const name of await numberedNames(store, 'leases')) {
    const fence = (await files.numbers(name)).at(-1) ?? 0;
    const bytes = await readWhole(store.fs, files.path(name, fence));
    const content = bytes && openFile('lease', bytes);
    const owner = content?.kind === 'intact' ? content.value.owner : undefined;
    const held = typeof owner === 'string' ? (isAlive(owner) ? 'held' : 'left') : 'unreadable';
    leases.push({ name, fence, state: owner === '' ? 'free' : held });
  }
  return leases;
}

async function inspectSnapshots(store: StoreFolder): Promise<FileSnapshots> {
  const snapshots = new FileSnapshots(store);
  for (const name of await numberedNames(store, 'state')) await snapshots.load(name);
  return snapshots;
}

/** Lists the names in front of the numbers. */
async function numberedNames(store: StoreFolder, inside: string): Promise<readonly string[]> {
  const files = await namesIn(store, inside);
  const names = files.map((file) => /^([a-z][a-z0-9-]*)\.\d{12}\.json$/.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

async function namesIn(store: StoreFolder, inside: string): Promise<readonly string[]> {
  return (await ifPresent(store.fs.readdir(store.inside(inside)))) ?? [];
}
