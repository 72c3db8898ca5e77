import type { Cursor, Journal, StoredRecord } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import { eachOf } from '../lib/each-of.js';
import { nameEnds } from './ended-segments.js';
import { onExit } from './exit-hook.js';
import { JournalReader } from './journal-reader.js';
import { JournalWriter, type JournalWriterOptions } from './journal-writer.js';
import type { Quarantine } from './quarantine.js';
import { RecentRecords } from './recent-records.js';
import { retain, sweep } from './retention.js';
import { listSegments, type Segment } from './segments.js';
import type { StoreFolder } from './store-folder.js';
import type { WriterRegistry } from './writer-registry.js';

export interface FileJournalOptions extends Omit<JournalWriterOptions, 'prepare'> {
  /** Limits for closed segments; the oldest are deleted first. */
  readonly retainMs: number;
  readonly retainBytes: number;
}

/**
 * Beyond this number of ended processes, one new process in so many looks at the age and size of every segment. If each
 * did, the work of a start would grow with the number of starts.
 */
const MANY_WRITERS = 64;

/** Batch size for this process's own records. */
const OWN_RECORDS = 250;

/** Journal of all processes in a folder. Each process writes segments of its own and reads those of all. */
export class FileJournal implements Journal {
  readonly writer: string;
  readonly #folder: StoreFolder;
  readonly #registry: WriterRegistry;
  readonly #options: FileJournalOptions;
  readonly #own: JournalWriter;
  readonly #recent = new RecentRecords();
  readonly #reader: JournalReader;
  readonly #openedMs: number;
  readonly #openedMonotonicMs: number;
  #stopExitHook: (() => void) | undefined;

  constructor(
    folder: StoreFolder,
    options: FileJournalOptions,
    { registry, quarantine }: { readonly registry: WriterRegistry; readonly quarantine: Quarantine },
  ) {
    this.#folder = folder;
    this.#options = options;
    this.#registry = registry;
    this.writer = options.writer;
    this.#openedMs = folder.clock.now();
    this.#openedMonotonicMs = folder.clock.monotonic();
    this.#own = new JournalWriter(folder, { ...options, prepare: () => this.#prepareSegment() });
    this.#reader = new JournalReader(folder, { quarantine, isWriting: (writer) => this.#isWriting(writer) });
  }

  get queued(): number {
    return this.#own.queued;
  }

  /** Epoch milliseconds: every process can read everything this one appended before. */
  watermarkMs(): number {
    return this.#own.watermarkMs();
  }

  append(records: readonly JournalRecord[]): void {
    if (this.#folder.isClosed) {
      const message = `${records.length} records came after close()`;
      this.#folder.report({ kind: 'dropped', message, count: records.length });
      return;
    }
    this.#stopExitHook ??= onExit(() => this.#own.writeOut());
    for (const record of records) {
      const position = this.#own.add(record);
      if (position !== undefined) this.#recent.add(position, record);
    }
  }

  read(after: Cursor = {}, upTo?: Cursor): AsyncIterableIterator<StoredRecord> {
    return eachOf(this.#batches(after, upTo));
  }

  async *#batches(after: Cursor, upTo: Cursor | undefined): AsyncGenerator<readonly StoredRecord[]> {
    await this.#folder.prepare();
    this.#recent.want();
    await this.#own.write();
    const from = after[this.writer] ?? 0;
    const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[this.writer] ?? 0);
    // Only records that reached the operating system: a decision may not rest on records that a crash could still lose.
    const own = this.#recent.take(from, Math.min(end, this.#own.written));
    if (own === undefined) return yield* this.#reader.read(after, upTo);
    // Built on demand: the garbage collector would copy thousands of them before they could be freed.
    for (let at = 0; at < own.length; at += OWN_RECORDS) {
      const part = own.slice(at, at + OWN_RECORDS);
      yield part.map((record, index) => ({ writer: this.writer, position: from + at + index, record }));
    }
    yield* this.#reader.read(after, upTo, this.writer);
  }

  /** Writes this process's records to the operating system, so that others can read them. */
  write(): Promise<void> {
    return this.#own.write();
  }

  flush(): Promise<void> {
    return this.#own.flush();
  }

  /** Ends the open segment, so that nothing more is written to it. */
  endSegment(): Promise<void> {
    return this.#own.endSegment();
  }

  /** Drops copies in memory, because the files changed. */
  forget(): void {
    this.#recent.forget();
  }

  async close(): Promise<void> {
    await this.#own.close();
    await this.#registry.unregister().catch(() => undefined);
    this.#stopExitHook?.();
  }

  async #prepareSegment(): Promise<void> {
    // A new segment may begin because the folder was deleted.
    this.#folder.prepareAgain();
    await this.#folder.prepare();
    await this.#folder.fs.mkdir(this.#folder.inside('journal'));
    await this.#registry.register();
    await this.#tidy();
  }

  /** Names the ends of segments, and applies retention. Failing to tidy up must not stop recording. */
  async #tidy(): Promise<void> {
    const { fs, path } = this.#folder;
    const { retainMs, retainBytes } = this.#options;
    const nowMs = this.#steadyNowMs();
    const isWriting = (writer: string) => this.#isWriting(writer);
    try {
      const { byWriter } = await listSegments(fs, this.#folder.inside('journal'));
      await nameEnds(fs, await this.#endedIn(byWriter));
      if (byWriter.size > MANY_WRITERS && byWriter.size % MANY_WRITERS !== 0) return;
      const deleted = await retain(fs, this.#folder.inside('journal'), { retainMs, retainBytes, nowMs, isWriting });
      if (deleted > 0) this.#recent.forget();
      await sweep(fs, path, nowMs);
    } catch (error) {
      this.#folder.report({ kind: 'failing', message: `cannot tidy up ${path}: ${String(error)}` });
    }
  }

  /** Returns the last segments of ended processes whose names do not have their ends yet. */
  async #endedIn(byWriter: ReadonlyMap<string, readonly Segment[]>): Promise<readonly Segment[]> {
    const ended: Segment[] = [];
    for (const [writer, segments] of byWriter) {
      const last = segments.at(-1);
      if (last !== undefined && last.end === undefined && !(await this.#isWriting(writer))) ended.push(last);
    }
    return ended;
  }

  /**
   * Returns the wall clock or the start time plus elapsed time, whichever is earlier. A clock jump never ages files.
   */
  #steadyNowMs(): number {
    const { clock } = this.#folder;
    return Math.min(clock.now(), this.#openedMs + clock.monotonic() - this.#openedMonotonicMs);
  }

  async #isWriting(writer: string): Promise<boolean> {
    return writer === this.writer || (await this.#registry.of(writer))?.alive === true;
  }
}
