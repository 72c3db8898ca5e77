import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type {
  AppendResult,
  Cursor,
  EraseFilter,
  EraseOptions,
  EraseReceipt,
  Lease,
  LedgerHead,
  LogName,
  Logs,
  Saved,
  Snapshot,
  Store,
  Stored,
  StoreProblem,
  WriterState,
} from '../contract/store.js';
import { eachOf } from '../lib/each-of.js';
import { erasedKey } from '../lib/erased-ids.js';
import { Listeners } from '../lib/listeners.js';
import { SystemClock } from '../lib/system-clock.js';
import { carryOut, countQuoting, planErasure } from './erasure.js';
import { onExit } from './exit-hook.js';
import { type FileSystem, machineFileSystem, readWhole } from './file-system.js';
import { JournalReader } from './journal-reader.js';
import { JournalWriter } from './journal-writer.js';
import { Leases } from './leases.js';
import { LedgerFiles } from './ledger-files.js';
import { FORMAT, openFile, sealFile } from './line.js';
import { claimPath, NumberedFiles } from './numbered-files.js';
import { machineProcesses, type ProcessTable } from './process-identity.js';
import { Quarantine } from './quarantine.js';
import { RecentRecords } from './recent-records.js';
import { retain, sweep } from './retention.js';
import { Snapshots } from './snapshots.js';
import { WriterRegistry } from './writer-registry.js';

export interface FileStoreOptions {
  /** Longest time before records reach the operating system: a killed process can lose this much. Default 20. */
  readonly flushMs?: number;
  /**
   * Records are fsynced after this time or count, whichever is first: a power cut can lose this much. Default 100 and
   * 256.
   */
  readonly fsyncMs?: number;
  readonly fsyncRecords?: number;
  /** Fsyncs every write immediately instead of after `fsyncMs`. Default false. */
  readonly durable?: boolean;
  /** Size or age at which a new segment begins. Default 8 MiB and 24 hours. */
  readonly segmentBytes?: number;
  readonly segmentHours?: number;
  /** Age and total size beyond which closed segments are deleted; decisions are never deleted. Default 30 and 1 GiB. */
  readonly retainDays?: number;
  readonly retainBytes?: number;
  /** Decisions kept as one file each before they are merged into a single file. Default 256. */
  readonly ledgerPartFiles?: number;
  /** Records that may wait in memory while the disk cannot write. More are dropped and counted. Default 100,000. */
  readonly maxQueued?: number;
  /** Name this process writes under: 12 letters and digits, unique among living processes. Default: random. */
  readonly writer?: string;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: the machine's. */
  readonly fs?: FileSystem;
  /** Default: the machine's. */
  readonly processes?: ProcessTable;
}

/** Batch size for this process's own records. */
const OWN_RECORDS = 250;
/**
 * How often, and for how long at most, an erasure checks whether other processes have written their buffered records.
 */
const LOOK_EVERY_MS = 100;
const WRITTEN_LIMIT_MS = 5_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Store in a folder that any number of processes may share. Holds outcomes as human-readable JSON Lines, decisions in a
 * chained ledger, snapshots and leases. Nothing is created before the first use.
 */
export class FileStore implements Store {
  readonly folder: string;
  readonly writer: string;
  readonly #fs: FileSystem;
  readonly #clock: Clock;
  readonly #openedMs: number;
  readonly #openedMonotonicMs: number;
  readonly #retention: { readonly retainMs: number; readonly retainBytes: number };
  readonly #problems = new Listeners<StoreProblem>();
  readonly #journal: JournalWriter;
  readonly #recent = new RecentRecords();
  readonly #reader: JournalReader;
  readonly #ledger: LedgerFiles;
  readonly #states: Snapshots;
  readonly #leases: Leases;
  readonly #board: WriterRegistry;
  readonly #quarantine: Quarantine;
  #prepared: Promise<void> | undefined;
  #stopExitHook: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(folder: string, options: FileStoreOptions = {}) {
    this.folder = resolve(folder);
    this.#fs = options.fs ?? machineFileSystem;
    this.#clock = options.clock ?? new SystemClock();
    this.#openedMs = this.#clock.now();
    this.#openedMonotonicMs = this.#clock.monotonic();
    this.writer = options.writer ?? writerName(this.#openedMs);
    this.#retention = {
      retainMs: atLeast('retainDays', options.retainDays ?? 30, 0) * DAY_MS,
      retainBytes: atLeast('retainBytes', options.retainBytes ?? 1_073_741_824, 0),
    };
    const tell = (problem: StoreProblem) => this.#problems.tell(problem);
    const journalFolder = join(this.folder, 'journal');
    this.#journal = new JournalWriter(this.#fs, journalFolder, {
      writer: this.writer,
      clock: this.#clock,
      flushMs: atLeast('flushMs', options.flushMs ?? 20, 0),
      fsyncMs: options.durable ? 0 : atLeast('fsyncMs', options.fsyncMs ?? 100, 0),
      fsyncRecords: options.durable ? 1 : atLeast('fsyncRecords', options.fsyncRecords ?? 256, 1),
      segmentBytes: atLeast('segmentBytes', options.segmentBytes ?? 8_388_608, 1),
      segmentMs: atLeast('segmentHours', options.segmentHours ?? 24, 0) * HOUR_MS,
      maxQueued: atLeast('maxQueued', options.maxQueued ?? 100_000, 1),
      tell,
      prepare: () => this.#prepareSegment(),
    });
    this.#board = new WriterRegistry(this.#fs, this.folder, {
      writer: this.writer,
      clock: this.#clock,
      processes: options.processes ?? machineProcesses(),
      watermark: () => this.#journal.watermarkMs(),
      onGone: () => {
        this.#prepared = undefined;
      },
    });
    this.#quarantine = new Quarantine(this.#fs, this.folder);
    this.#reader = new JournalReader(this.#fs, journalFolder, {
      quarantine: this.#quarantine,
      isWriting: (writer) => this.#isWriting(writer),
      tell,
    });
    this.#ledger = new LedgerFiles(this.#fs, this.folder, {
      heads: this.#numbered('head'),
      partFiles: atLeast('ledgerPartFiles', options.ledgerPartFiles ?? 256, 1),
      tell,
    });
    this.#states = new Snapshots(this.#fs, this.#numbered('state'), this.#clock, tell);
    this.#leases = new Leases(this.#fs, this.#numbered('leases'), this.#board, this.writer);
  }

  /** Number of accepted records that have not reached the operating system yet. */
  get queued(): number {
    return this.#journal.queued;
  }

  write(records: readonly JournalRecord[]): void {
    if (this.#closing !== undefined) {
      const message = `${records.length} records came after close()`;
      this.#problems.tell({ kind: 'dropped', message, count: records.length });
      return;
    }
    this.#stopExitHook ??= onExit(() => this.#journal.writeOut());
    for (const record of records) {
      const position = this.#journal.add(record);
      if (position !== undefined) this.#recent.add(position, record);
    }
  }

  read<Name extends LogName>(log: Name, after: Cursor = {}, upTo?: Cursor): AsyncIterableIterator<Stored<Logs[Name]>> {
    // The log's name determines the type of its records, which the compiler cannot follow through the branch.
    const batches = log === 'ledger' ? this.#readLedger(after, upTo) : this.#readJournal(after, upTo);
    return eachOf(batches as AsyncGenerator<readonly Stored<Logs[Name]>[]>);
  }

  async *#readJournal(after: Cursor, upTo: Cursor | undefined): AsyncGenerator<readonly Stored<JournalRecord>[]> {
    await this.#prepare();
    this.#recent.want();
    await this.#journal.write();
    const from = after[this.writer] ?? 0;
    const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[this.writer] ?? 0);
    // Only records that reached the operating system: a decision may not rest on records that a crash could still lose.
    const own = this.#recent.take(from, Math.min(end, this.#journal.written));
    if (own === undefined) return yield* this.#reader.read(after, upTo);
    // Built on demand: the garbage collector would copy thousands of them before they could be freed.
    for (let at = 0; at < own.length; at += OWN_RECORDS) {
      const part = own.slice(at, at + OWN_RECORDS);
      yield part.map((record, index) => ({ writer: this.writer, position: from + at + index, record }));
    }
    yield* this.#reader.read(after, upTo, this.writer);
  }

  async *#readLedger(after: Cursor, upTo: Cursor | undefined): AsyncGenerator<readonly Stored<LedgerEntry>[]> {
    await this.#prepare();
    const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo.ledger ?? 0);
    for await (const { position, entry } of this.#ledger.lines(after.ledger ?? 0)) {
      if (position >= end) return;
      // Another process erased records of this one: the copies in memory must go, too.
      if (entry.kind === 'erased') this.#recent.forget();
      yield [{ writer: 'ledger', position, record: entry }];
    }
  }

  async head(): Promise<LedgerHead> {
    await this.#prepare();
    return this.#ledger.head();
  }

  async decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.#mustBeOpen();
    await this.#prepare();
    return this.#ledger.decide(entries, after);
  }

  async load(name: string): Promise<Saved | undefined> {
    await this.#prepare();
    return this.#states.load(name);
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    this.#mustBeOpen();
    await this.#prepare();
    return this.#states.save(name, value, after);
  }

  async lease(name: string): Promise<Lease | undefined> {
    this.#mustBeOpen();
    await this.#prepare();
    return this.#leases.take(name);
  }

  async writers(): Promise<readonly WriterState[]> {
    await this.#prepare();
    await this.#journal.write();
    await this.#board.beat();
    return this.#board.all();
  }

  async erase(filter: EraseFilter, { by = 'host', dryRun = false }: EraseOptions = {}): Promise<EraseReceipt> {
    this.#mustBeOpen();
    await this.#prepare();
    await this.#journal.endSegment();
    const waiting = dryRun ? [] : await this.#whoStillHolds(this.#clock.now());
    const source = { journal: join(this.folder, 'journal'), ledger: this.#ledger, filter };
    const erasure = await planErasure(this.#fs, source);
    const removeFiles = async () =>
      (await this.#states.forget(dryRun)) + (await this.#quarantine.erase(erasure.texts, dryRun));
    const records = erasure.records.length;
    if (dryRun) return { records, decisions: await countQuoting(this.#ledger, erasure), files: await removeFiles() };
    this.#recent.forget();
    const changed = await carryOut(this.#fs, this.#ledger, erasure);
    const files = await removeFiles();
    const fields = Object.keys(filter).sort();
    const ids = erasure.records.flatMap(({ record }) =>
      record.kind === 'outcome' ? [erasedKey(record.outcome.id)] : [],
    );
    const entry: LedgerEntry = { kind: 'erased', atMs: this.#clock.now(), by, fields, records, ids, changed };
    for (let head = await this.#ledger.head(); ; ) {
      const result = await this.#ledger.decide([entry], head);
      if (result.kind === 'ok') {
        return { records, decisions: changed.length, files, ...(waiting.length > 0 && { waiting }) };
      }
      head = result.head;
    }
  }

  /**
   * Waits until the other living processes have written what they recorded before `atMs`. Returns those that have not
   * after `WRITTEN_LIMIT_MS`: the process is suspended, or its disk hangs.
   */
  async #whoStillHolds(atMs: number): Promise<readonly string[]> {
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
      const behind = (await this.#board.all()).filter(
        ({ writer, alive, watermarkMs }) => alive && writer !== this.writer && watermarkMs < atMs,
      );
      if (behind.length === 0 || waitedMs >= WRITTEN_LIMIT_MS) return behind.map(({ writer }) => writer);
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_EVERY_MS, resolve));
    }
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#problems.add(listener);
  }

  async flush(): Promise<void> {
    await this.#journal.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#journal.close();
    await this.#board.unregister().catch(() => undefined);
    this.#stopExitHook?.();
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw new LoopError('closed', `the store in ${this.folder} is closed`);
  }

  /**
   * Claims the folder.
   * @throws LoopError `store-failed` if a newer version has claimed it, or if there are links inside.
   */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#claimFolder().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #claimFolder(): Promise<void> {
    await this.#fs.mkdir(this.folder);
    const link = await this.#fs.findLink?.(this.folder);
    if (link !== undefined) {
      const message = `${link} is a link: nothing is read or written through it; remove it, or name the folder it leads to`;
      throw new LoopError('store-failed', message);
    }
    const path = join(this.folder, 'store.json');
    const bytes = await readWhole(this.#fs, path);
    if (bytes === undefined) {
      await claimPath(this.#fs, this.folder, path, sealFile('store', '"product":"rsi-loop"}'), {
        durable: true,
      });
      return;
    }
    const content = openFile('store', bytes);
    if (content.kind === 'newer') {
      const message = `${this.folder} has format ${content.format}, this version writes ${FORMAT}: upgrade this package`;
      throw new LoopError('store-failed', message);
    }
    if (content.kind === 'damaged') {
      this.#problems.tell({ kind: 'damaged', message: `${path} is damaged; what the folder holds is read as usual` });
    }
  }

  async #prepareSegment(): Promise<void> {
    // A new segment may begin because the folder was deleted.
    this.#prepared = undefined;
    await this.#prepare();
    await this.#fs.mkdir(join(this.folder, 'journal'));
    await this.#board.register();
    await this.#tidy();
  }

  /** Applies retention. Failing to tidy up must not stop recording. */
  async #tidy(): Promise<void> {
    const nowMs = this.#steadyNowMs();
    const isWriting = (writer: string) => this.#isWriting(writer);
    try {
      const deleted = await retain(this.#fs, join(this.folder, 'journal'), { ...this.#retention, nowMs, isWriting });
      if (deleted > 0) this.#recent.forget();
      await sweep(this.#fs, this.folder, nowMs);
    } catch (error) {
      this.#problems.tell({ kind: 'failing', message: `cannot tidy up ${this.folder}: ${String(error)}` });
    }
  }

  /**
   * Returns the wall clock or the start time plus elapsed time, whichever is earlier. A clock jump never ages files.
   */
  #steadyNowMs(): number {
    return Math.min(this.#clock.now(), this.#openedMs + this.#clock.monotonic() - this.#openedMonotonicMs);
  }

  async #isWriting(writer: string): Promise<boolean> {
    return writer === this.writer || (await this.#board.of(writer))?.alive === true;
  }

  #numbered(folder: string): NumberedFiles {
    return new NumberedFiles(this.#fs, join(this.folder, folder));
  }
}

/** Returns a unique name that sorts by start time. It is short because it is part of every id this process creates. */
function writerName(nowMs: number): string {
  const seconds = Math.max(0, Math.floor(nowMs / 1000))
    .toString(36)
    .padStart(6, '0')
    .slice(-6);
  return seconds + randomBytes(4).readUInt32BE().toString(36).padStart(7, '0').slice(-6);
}

function atLeast(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new LoopError('invalid-input', `${name} is ${value}: give a number of at least ${least}`);
}
