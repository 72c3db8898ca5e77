import { randomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { Store, StoreProblem } from '../contract/store.js';
import { showValue } from '../lib/text.js';
import { eraseFrom } from './erasure.js';
import { FileCoordination } from './file-coordination.js';
import { FileJournal } from './file-journal.js';
import { FileLedger } from './file-ledger.js';
import { FileSnapshots } from './file-snapshots.js';
import type { FileSystem } from './file-system.js';
import { machineProcesses, type ProcessTable } from './process-identity.js';
import { Quarantine } from './quarantine.js';
import { StoreFolder } from './store-folder.js';
import { WriterRegistry } from './writer-registry.js';

/** Options of `FileStore`. */
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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Store in a folder that any number of processes may share. Holds outcomes as human-readable JSON Lines, decisions in a
 * chained ledger, snapshots and leases. Nothing is created before the first use.
 */
export class FileStore implements Store {
  readonly folder: string;
  readonly journal: FileJournal;
  readonly ledger: FileLedger;
  readonly snapshots: FileSnapshots;
  readonly coordination: FileCoordination;
  readonly #folder: StoreFolder;
  readonly #quarantine: Quarantine;
  #closing: Promise<void> | undefined;

  constructor(path: string, options: FileStoreOptions = {}) {
    const { fs, clock, processes = machineProcesses() } = options;
    const folder = new StoreFolder(path, { fs, clock });
    this.#folder = folder;
    this.folder = folder.path;
    const writer = options.writer ?? writerName(folder.clock.now());
    const registry = new WriterRegistry(folder, { writer, processes, watermark: () => this.journal.watermarkMs() });
    this.#quarantine = new Quarantine(folder);
    this.journal = new FileJournal(folder, journalOptions(writer, options), { registry, quarantine: this.#quarantine });
    this.ledger = new FileLedger(folder, {
      partFiles: atLeast('ledgerPartFiles', options.ledgerPartFiles ?? 256, 1),
      // The copies in memory must go, too.
      onErased: () => this.journal.forget(),
    });
    this.snapshots = new FileSnapshots(folder);
    this.coordination = new FileCoordination(folder, registry, () => this.journal.write());
  }

  async erase(filter: EraseFilter, options: EraseOptions = {}): Promise<EraseReceipt> {
    this.#folder.mustBeOpen();
    await this.#folder.prepare();
    const { journal, ledger, snapshots, coordination } = this;
    const parts = { folder: this.#folder, journal, ledger, snapshots, coordination, quarantine: this.#quarantine };
    return eraseFrom(parts, filter, options);
  }

  onProblem(listener: (problem: StoreProblem) => void): void {
    this.#folder.onProblem(listener);
  }

  close(): Promise<void> {
    this.#folder.close();
    this.#closing ??= this.journal.close();
    return this.#closing;
  }
}

function journalOptions(writer: string, options: FileStoreOptions) {
  const { durable } = options;
  return {
    writer,
    flushMs: atLeast('flushMs', options.flushMs ?? 20, 0),
    fsyncMs: durable ? 0 : atLeast('fsyncMs', options.fsyncMs ?? 100, 0),
    fsyncRecords: durable ? 1 : atLeast('fsyncRecords', options.fsyncRecords ?? 256, 1),
    segmentBytes: atLeast('segmentBytes', options.segmentBytes ?? 8_388_608, 1),
    segmentMs: atLeast('segmentHours', options.segmentHours ?? 24, 0) * HOUR_MS,
    maxQueued: atLeast('maxQueued', options.maxQueued ?? 100_000, 1),
    retainMs: atLeast('retainDays', options.retainDays ?? 30, 0) * DAY_MS,
    retainBytes: atLeast('retainBytes', options.retainBytes ?? 1_073_741_824, 0),
  };
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
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give a number of at least ${least}`);
}
