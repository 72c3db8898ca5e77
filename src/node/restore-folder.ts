import { join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import type { StoredRecord } from '../contract/journal.js';
import type { LedgerHead } from '../contract/ledger-log.js';
import { isObject } from '../lib/is-object.js';
import { mustBe } from '../lib/must-be.js';
import { showValue } from '../lib/text.js';
import { type FileSystem, machineFileSystem, writeWhole } from './file-system.js';
import { encodeLines, type LedgerLine } from './ledger-line.js';
import { sealFile, sealLine, sealLines, unsealedLine } from './line.js';
import { padded } from './numbered-files.js';
import { type Segment, segmentHeader, segmentOf } from './segments.js';
import { StoreFolder } from './store-folder.js';

/** Everything of a loop that a copy of its store takes along. */
export interface StoreContent {
  /** Records, by writer and position. */
  readonly records: AsyncIterable<StoredRecord>;
  /** Decisions with their hashes, so that the copy continues the same chain. */
  readonly entries: AsyncIterable<Omit<LedgerLine, 'text'>>;
}

/** Size at which a new segment begins, and the number of lines that are written together. */
const SEGMENT_BYTES = 8_388_608;
const LINES_TOGETHER = 500;
/** Longest gap between positions that is filled with empty lines; a longer one begins a new segment. */
const MAX_FILLED = 1_000;

/**
 * Writes the content of another store into a folder that holds no loop. Writers and positions stay the same, because
 * decisions name them.
 * @throws LoopError `invalid-input` if the folder holds a loop.
 */
export async function restoreFolder(path: string, content: StoreContent): Promise<void> {
  const isContent = isObject(content) && isObject(content.records) && isObject(content.entries);
  mustBe(isContent, 'content', showValue(content), 'the records and entries of a store');
  const fs = machineFileSystem;
  const folder = new StoreFolder(path, { fs });
  const names = await fs.readdir(folder.path).catch(() => []);
  if (names.some((name) => ['store.json', 'journal', 'ledger'].includes(name))) {
    throw new LoopError('invalid-input', `${path} holds a loop already: name an empty folder`);
  }
  await folder.prepare();
  for (const part of ['journal', 'ledger', 'head']) await fs.mkdir(folder.inside(part));
  const journal = new SegmentCopy(fs, folder.inside('journal'));
  for await (const record of content.records) {
    mustBe(isObject(record) && isObject(record.record), 'records', showValue(record), 'stored records');
    await journal.add(record);
  }
  await journal.end();
  await writeLedger(fs, folder, content.entries);
}

async function writeLedger(fs: FileSystem, folder: StoreFolder, entries: StoreContent['entries']): Promise<void> {
  const lines: Omit<LedgerLine, 'text'>[] = [];
  for await (const entry of entries) lines.push(entry);
  const last = lines.at(-1);
  if (last === undefined) return;
  await writeFile(fs, join(folder.inside('ledger'), `${padded(0)}.jsonl`), encodeLines(lines));
  const head: LedgerHead = { length: last.position + 1, hash: last.hash };
  const bytes = sealFile('head', `"length":${head.length},"hash":"${head.hash}"}`);
  await writeFile(fs, folder.numbered('head').path('head', head.length), bytes);
}

async function writeFile(fs: FileSystem, path: string, bytes: Buffer): Promise<void> {
  const file = await fs.open(path, 'wx');
  try {
    await writeWhole(fs, file, bytes, 0);
    await fs.fsync(file);
  } finally {
    await fs.close(file);
  }
}

/** Writes the segments of all writers, one after another. */
class SegmentCopy {
  readonly #fs: FileSystem;
  readonly #folder: string;
  #segment: Segment | undefined;
  #file: number | undefined;
  #size = 0;
  /** Position after the last line. */
  #next = 0;
  #lines: string[] = [];

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  async add({ writer, position, record }: StoredRecord): Promise<void> {
    const isOther = this.#segment?.writer !== writer;
    const gap = position - this.#next;
    if (isOther || gap > MAX_FILLED || this.#size > SEGMENT_BYTES) await this.#begin(writer, position, isOther);
    // A position without a record, e.g. an erased one.
    for (; this.#next < position; this.#next++) {
      this.#lines.push(`${sealLine(`"n":${this.#next},"kind":"erased"}`)}\n`);
    }
    this.#lines.push(unsealedLine(position, record));
    this.#next = position + 1;
    if (this.#lines.length >= LINES_TOGETHER) await this.#write();
  }

  async end(): Promise<void> {
    await this.#write();
    if (this.#file === undefined) return;
    await this.#fs.fsync(this.#file);
    await this.#fs.close(this.#file);
    this.#file = undefined;
  }

  async #begin(writer: string, from: number, isOther: boolean): Promise<void> {
    await this.end();
    const serial = isOther ? 0 : (this.#segment?.serial ?? -1) + 1;
    this.#segment = segmentOf(this.#folder, { writer, serial, from });
    this.#file = await this.#fs.open(this.#segment.path, 'wx');
    this.#size = 0;
    this.#next = from;
    await this.#append(segmentHeader(this.#segment));
  }

  async #write(): Promise<void> {
    if (this.#lines.length === 0) return;
    await this.#append(sealLines(Buffer.from(this.#lines.join(''))));
    this.#lines = [];
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#file === undefined) return;
    await writeWhole(this.#fs, this.#file, bytes, this.#size);
    this.#size += bytes.byteLength;
  }
}
