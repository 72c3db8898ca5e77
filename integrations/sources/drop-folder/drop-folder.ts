import { existsSync } from 'node:fs';
import { readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { type Clock, LoopError, type RSILoop, reportProblem, SystemClock } from 'rsi-loop';
import { partsOf, showValue } from 'rsi-loop/kit';
import { machineFileSystem } from 'rsi-loop/node';
import { Beginnings } from './beginnings.js';
import { codeOf, ifThere, moveInto, nameFor, reasonText, writeAnew } from './drop-files.js';
import type { DropCounts, DropFolderOptions } from './drop-folder-options.js';
import { Claims, idOf, recordedIds } from './file-claims.js';
import { Places } from './places.js';
import { type FileResult, readFile } from './read-file.js';
import { FolderScan, type Found } from './scan.js';
import { keepLooking, loadChokidar } from './watch-loop.js';

/** Files that are claimed, recorded and moved away together. */
interface Batch {
  readonly name: string;
  /** Ids that the journal held when the batch was taken over. */
  readonly recorded?: ReadonlySet<string>;
  /** Results by name; for files not read to their end, the number of records counted so far. */
  readonly results: Map<string, FileResult | { readonly begun: number }>;
}

const BATCH_FILES = 256;
/** Number of records waiting in the store at which reading pauses until they are written. */
const MAX_QUEUED = 10_000;

/**
 * Reads outcomes from files that any program writes into a folder: `*.json`, `*.jsonl`, `*.ndjson`. Each file is
 * claimed by a rename, recorded once, and moved to `done/`. If part of it was unreadable, it goes to `rejected/` with a
 * `.reason.txt`. A file is moved only after the store has its records on disk. If a process is killed, the next one
 * finishes its files and skips records that are already in the journal. Any number of processes may watch the same
 * folder for the same store; one of them claims files at a time.
 */
export class DropFolder {
  readonly folder: string;
  readonly #loop: RSILoop;
  readonly #options: DropFolderOptions;
  readonly #clock: Clock;
  readonly #look: FolderScan;
  readonly #limits: { readonly maxFileBytes: number; readonly maxRecordBytes: number };
  readonly #beginnings: Beginnings;
  #places: Places | undefined;
  #claims: Claims | undefined;
  #pending: Batch[] = [];
  #counts = { files: 0, records: 0, rejected: 0, recovered: 0 };
  /** Number of consecutive scans that failed. */
  #failed = 0;
  #turns: Promise<unknown> = Promise.resolve();
  #queuedPoll: Promise<DropCounts> | undefined;
  #started: Promise<void> | undefined;
  #stop: (() => Promise<void>) | undefined;
  #closing: Promise<void> | undefined;

  /** @throws LoopError `invalid-input` for an invalid time or size. */
  constructor(loop: RSILoop, folder: string, options: DropFolderOptions = {}) {
    partsOf(loop); // throws unless it is one
    this.#loop = loop;
    this.folder = resolve(folder);
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
    this.#look = new FolderScan(atLeast('settleMs', options.settleMs ?? 1_000, 0), this.#clock);
    this.#limits = {
      maxFileBytes: atLeast('maxFileBytes', options.maxFileBytes ?? 268_435_456, 1),
      maxRecordBytes: atLeast('maxRecordBytes', options.maxRecordBytes ?? 1_048_576, 1),
    };
    atLeast('everyMs', options.everyMs ?? 1_000, 10);
    this.#beginnings = new Beginnings({
      loop,
      clock: this.#clock,
      settleMs: options.settleMs ?? 1_000,
      report: (message) => this.#report(message),
    });
  }

  get counts(): DropCounts {
    return { ...this.#counts, waiting: this.#look.waiting };
  }

  /**
   * Scans once and processes the complete files, for hosts without a watcher. A call during a scan waits for the next
   * one.
   * @throws LoopError `closed`, or `store-failed` if the folder or the store is unusable; a later call then finishes
   * what was claimed.
   */
  poll(): Promise<DropCounts> {
    if (this.#closing) return Promise.reject(new LoopError('closed', `the drop folder ${this.folder} is closed`));
    this.#queuedPoll ??= this.#queue(async () => {
      this.#queuedPoll = undefined;
      await this.#pollOnce();
      return this.counts;
    });
    return this.#queuedPoll;
  }

  /**
   * Scans now, and again whenever something changes. Never keeps the process alive; reports its problems on the loop.
   */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Finishes the current work and releases everything; call it before closing the loop. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#started?.catch(() => undefined);
    await this.#stop?.();
    await this.#turns;
    await this.#claims?.release();
    this.#beginnings.close();
    this.#places?.close();
  }

  async #start(): Promise<void> {
    const { watch, chokidar, everyMs, settleMs = 1_000 } = this.#options;
    const watching = watch === 'polling' ? undefined : (chokidar ?? (await loadChokidar()));
    this.#stop = await keepLooking(this.folder, {
      everyMs: everyMs ?? (watching ? 10_000 : 1_000),
      soonMs: Math.max(20, settleMs),
      clock: this.#clock,
      look: () => this.#lookOrTell(),
      report: (error) => this.#report(error),
      ...(watching && { watching }),
    });
  }

  /** Scans and reports errors. Returns true if some files will be complete soon. */
  async #lookOrTell(): Promise<boolean> {
    try {
      await this.poll();
      this.#failed = 0;
    } catch (error) {
      // If every scan fails, only failures 1, 10, 100 ... are reported.
      if (Number.isInteger(Math.log10(++this.#failed))) this.#report(error);
    }
    // A program that begins a task waits for its answer.
    return this.#look.waiting > 0 || this.#beginnings.isUsed;
  }

  async #pollOnce(): Promise<void> {
    try {
      const { claims, places } = await this.#open();
      while (this.#pending[0]) await this.#finish(places, this.#pending[0]);
      try {
        await this.#answer(claims, places);
        await this.#take(claims, places);
      } finally {
        // Another watcher of this process would take a batch that is left for one of a dead process.
        if (this.#pending.length === 0) await claims.release();
      }
    } catch (error) {
      if (LoopError.is(error)) throw error;
      const message = `${this.folder}: ${error instanceof Error ? error.message : String(error)}`;
      throw new LoopError('store-failed', message, { cause: error });
    }
  }

  /** Answers the programs that begin tasks. One watcher at a time does this. */
  async #answer(claims: Claims, places: Places): Promise<void> {
    if (existsSync(places.root.at('begin')) && (await claims.acquire())) await this.#beginnings.poll(places.root);
  }

  async #take(claims: Claims, places: Places): Promise<void> {
    await this.#recover(claims, places);
    let found: Found[] = [];
    for await (const file of this.#look.complete(places.root.at(''))) {
      if (found.push(file) < BATCH_FILES) continue;
      await this.#claim(claims, places, found);
      found = [];
    }
    if (found.length > 0) await this.#claim(claims, places, found);
  }

  async #open(): Promise<{ readonly claims: Claims; readonly places: Places }> {
    // Until it is ready, the loop may still replace its store, and records would go to a store that is never read.
    await this.#loop.ready();
    if (this.#loop.hasLostStore) {
      const why = 'the store of the loop could not be read, and in memory their records would be lost';
      throw new LoopError('store-failed', `files stay in ${this.folder}: ${why}; repair it and start again`);
    }
    await machineFileSystem.mkdir(this.folder);
    if (!this.#places?.areThere()) {
      this.#places?.close();
      this.#places = undefined;
      this.#places = new Places(this.folder);
    }
    this.#claims ??= new Claims(this.#loop.store, this.folder, this.#clock);
    return { claims: this.#claims, places: this.#places };
  }

  async #recover(claims: Claims, places: Places): Promise<void> {
    const claimed = places.claimed.at('');
    const names = await claims.inherit(claimed, new Set(this.#pending.map(({ name }) => name)));
    if (names.length === 0) return;
    const wanted = new Set<string>();
    for (const name of names) {
      for (const file of await readdir(join(claimed, name))) {
        this.#counts.recovered++;
        await readFile(join(claimed, name, file), this.#limits, {
          onOutcome: (outcome, position) => {
            wanted.add(idOf(outcome, name, file, position));
            return undefined;
          },
          pause: () => this.#pause(),
        });
      }
    }
    const recorded = await recordedIds(this.#loop.store, wanted);
    const batches = names.map((name): Batch => ({ name, recorded, results: new Map() }));
    this.#pending.push(...batches);
    for (const batch of batches) await this.#finish(places, batch);
  }

  async #claim(claims: Claims, places: Places, found: readonly Found[]): Promise<void> {
    if (!(await claims.acquire())) {
      this.#look.waiting += found.length;
      return;
    }
    const claimed = places.claimed.at('');
    const name = await claims.open(claimed);
    let count = 0;
    for (const file of found) {
      const target = join(claimed, name, typeof file.path === 'string' ? file.name : nameFor(file.path));
      try {
        await rename(file.path, target);
        count++;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') continue; // another watcher was faster
        this.#look.leave(file.name);
        this.#report(
          new Error(`${JSON.stringify(file.name)} cannot be taken (${codeOf(error)}): it is left where it is`),
        );
      }
    }
    if (count === 0) return void (await ifThere(rmdir(join(claimed, name))));
    // Otherwise, if a power cut undid a claim, its records would be recorded twice.
    await claims.sync(claimed, name);
    await places.root.sync();
    const batch: Batch = { name, results: new Map() };
    this.#pending.push(batch);
    await this.#finish(places, batch);
  }

  /**
   * Reads the remaining files, waits until the store has their records, and moves the files away. Can be called again
   * after a failure.
   */
  async #finish(places: Places, batch: Batch): Promise<void> {
    const folder = join(places.claimed.at(''), batch.name);
    const names = ((await ifThere(readdir(folder))) ?? []).sort();
    for (const name of names) {
      const result = batch.results.get(name);
      if (result === undefined || 'begun' in result)
        await this.#read(batch, name, join(folder, name), result?.begun ?? 0);
    }
    await this.#loop.flush();
    await this.#beginnings.forget();
    for (const name of names) {
      const result = batch.results.get(name);
      if (result && !('begun' in result)) await this.#putAway(places, join(folder, name), name, result);
    }
    await ifThere(rmdir(folder));
    this.#pending = this.#pending.filter((each) => each !== batch);
  }

  /** Reads one file. `begun` is the number of its records that an earlier attempt recorded. */
  async #read(batch: Batch, name: string, path: string, begun: number): Promise<void> {
    let taken = begun;
    try {
      const result = await readFile(path, this.#limits, {
        onOutcome: (outcome, position) => {
          if (position < begun) return undefined;
          taken = position + 1;
          const id = idOf(outcome, batch.name, name, position);
          if (batch.recorded?.has(id)) return undefined;
          this.#counts.records++;
          const sent = { ...outcome, id, ...(outcome.managed && { managed: this.#isOwn() }) };
          const { outcome: whole, reason } = this.#beginnings.complete(sent);
          if (!whole.managed && this.#loop.observer.isBegun(id)) return FOREIGN_END;
          this.#loop.observer.take(whole);
          return reason;
        },
        pause: () => this.#pause(),
      });
      batch.results.set(name, result);
    } catch (error) {
      batch.results.set(name, { begun: taken });
      throw error;
    }
  }

  /**
   * Returns whether the folder is inside the store's own folder, as the inbox of hooks is. Only programs that could
   * write the journal itself write there, so their word on a task that they began counts.
   */
  #isOwn(): boolean {
    const { store } = this.#loop;
    return 'folder' in store && this.folder.startsWith(resolve(String(store.folder)) + sep);
  }

  async #putAway(places: Places, path: string, name: string, { reasons, records }: FileResult): Promise<void> {
    if (reasons.length > 0) {
      const text = reasonText(name, reasons, records, this.#clock.now());
      places.rejected.confirm();
      await moveInto(path, places.rejected.at(''), name, (to) => writeAnew(`${to}.reason.txt`, text));
      this.#counts.rejected++;
    } else {
      if (this.#options.keepDone === false) await ifThere(unlink(path));
      else {
        places.done.confirm();
        await moveInto(path, places.done.at(''), name);
      }
      this.#counts.files++;
    }
  }

  /** Lets the store catch up and yields to the event loop. */
  async #pause(): Promise<void> {
    if (this.#loop.store.journal.queued > MAX_QUEUED) await this.#loop.flush();
    await new Promise(setImmediate);
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turns.then(work);
    this.#turns = result.catch(() => undefined);
    return result;
  }

  #report(error: unknown): void {
    if (this.#closing) return;
    reportProblem(this.#loop, 'drop-folder', error instanceof Error ? error.message : String(error));
  }
}

const FOREIGN_END = 'another program began the task of this id, and it alone ends it';

function atLeast(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new LoopError(
    'invalid-input',
    `${name} of the drop folder is ${showValue(value)}: give a number of at least ${least}`,
  );
}
