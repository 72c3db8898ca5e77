import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Outcome } from 'rsi-loop';
import { detectImporter, IMPORTERS } from './detect.js';
import type { Batch, Importer, InputProblem } from './importer.js';

/** Options of `readInputs` and `importTraces`. */
export interface ReadInputsOptions {
  /** Leaves out what ended earlier. */
  readonly sinceMs?: number;
  /** Hears of everything that could not be read, as it happens, with file and line. */
  readonly onProblem?: (problem: InputProblem) => void;
  /** Stops reading; the iteration ends without an error. */
  readonly signal?: AbortSignal;
  /** What `-` reads. Default: the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly importers?: readonly Importer[];
  /** For records that state no time and come from standard input. */
  readonly nowMs?: number;
}

/** Outcomes of one piece of one input, in the order they stand there. */
export interface InputBatch extends Batch {
  readonly path: string;
  /** Name of the importer that read it. */
  readonly importer: string;
}

/** Complete when the iteration has ended. */
export interface InputSummary {
  /** Inputs that an importer read to their end or to an error. */
  readonly filesRead: number;
  /** Paths and files that could not be opened, read or recognised. */
  readonly filesFailed: number;
  /** Files found in folders that no importer knows; not a problem each. */
  readonly filesIgnored: number;
  readonly outcomes: number;
  readonly lines: number;
  readonly bytes: number;
  /** Lines that should have given an outcome and could not be read. */
  readonly skipped: number;
  readonly leftOut: Readonly<Record<string, number>>;
}

/**
 *     const reading = readInputs(['~/.claude/projects', 'more.jsonl', '-'], { sinceMs, onProblem });
 *     for await (const { outcomes, bytes } of reading) ...
 *     reading.summary.skipped
 */
export interface InputReading extends AsyncIterable<InputBatch> {
  readonly summary: InputSummary;
}

/** Reads files, folders (with all below them) and standard input (`-`), each in the format it turns out to have. */
export function readInputs(paths: readonly string[], options: ReadInputsOptions = {}): InputReading {
  const importers = options.importers ?? IMPORTERS;
  const seen = new RecentIds();
  /** What to do about files that were named and are in no format. */
  const hints = new Map<string, string>();
  const summary = {
    filesRead: 0,
    filesFailed: 0,
    filesIgnored: 0,
    outcomes: 0,
    lines: 0,
    bytes: 0,
    skipped: 0,
    leftOut: {} as Record<string, number>, // filled below
  };

  function fail(path: string, reason: string): void {
    summary.filesFailed++;
    options.onProblem?.({ path, reason });
  }

  function count(batch: Batch): void {
    summary.outcomes += batch.outcomes.length;
    summary.lines += batch.lines;
    summary.bytes += batch.bytes;
    summary.skipped += batch.skipped.length;
    for (const problem of batch.skipped) options.onProblem?.(problem);
    for (const [reason, times] of Object.entries(batch.leftOut)) {
      summary.leftOut[reason] = (summary.leftOut[reason] ?? 0) + times;
    }
  }

  /** False when no importer knows it. */
  async function* readOne(source: Source): AsyncGenerator<InputBatch, boolean> {
    const { path, atMs } = source;
    const opened = await openInput(source.open());
    try {
      const importer = detectImporter({ path, text: opened.head }, importers);
      if (importer === undefined) {
        const hint = HINTS.find(([magic]) => opened.head.startsWith(magic))?.[1];
        if (hint !== undefined) hints.set(path, hint);
        return false;
      }
      for await (const batch of importer.read({ path, atMs, chunks: opened.chunks })) {
        const kept = keepOnce(keepSince(batch, options.sinceMs), seen);
        count(kept);
        yield { ...kept, path, importer: importer.name };
        if (options.signal?.aborted) break;
      }
      return true;
    } finally {
      await opened.close();
    }
  }

  /** What came of it: read, not known to any importer, or failed and reported. */
  async function* tryOne(source: Source): AsyncGenerator<InputBatch, 'read' | 'unknown' | 'failed'> {
    try {
      return (yield* readOne(source)) ? 'read' : 'unknown';
    } catch (error) {
      fail(source.path, `cannot be read: ${messageOf(error)}`);
      return 'failed';
    }
  }

  async function* readFolder(folder: string): AsyncGenerator<InputBatch> {
    let usable = 0;
    let files = 0;
    for await (const path of walk(folder, fail)) {
      if (options.signal?.aborted) return;
      const source = await fileSource(path);
      // A file last written before is about earlier things; a day for clocks that differ.
      if (source.atMs < (options.sinceMs ?? 0) - 86_400_000) continue;
      files++;
      const result = yield* tryOne(source);
      if (result === 'read') usable++;
      else if (result === 'unknown') summary.filesIgnored++;
    }
    summary.filesRead += usable;
    if (files === 0) fail(folder, `holds no file with a name ending in ${ENDINGS.map((one) => `.${one}`).join(', ')}`);
    else if (usable === 0) fail(folder, `none of its ${files} files is in a known format`);
  }

  async function* all(): AsyncGenerator<InputBatch> {
    for (const path of paths) {
      if (options.signal?.aborted) return;
      try {
        if (path !== '-' && (await stat(path)).isDirectory()) {
          yield* readFolder(path);
          continue;
        }
        const source = path === '-' ? stdinSource(options) : await fileSource(path);
        const result = yield* tryOne(source);
        if (result === 'read') summary.filesRead++;
        else if (result === 'unknown') fail(path, `is in no known format${hints.get(path) ?? ''}`);
      } catch (error) {
        fail(path, messageOf(error));
      }
    }
  }

  return { [Symbol.asyncIterator]: all, summary };
}

interface Source {
  readonly path: string;
  readonly atMs: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

const CHUNK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

async function fileSource(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { path, atMs: Math.floor(mtimeMs), open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
}

function stdinSource({ stdin, nowMs }: ReadInputsOptions): Source {
  return { path: '-', atMs: nowMs ?? Date.now(), open: () => stdin ?? process.stdin };
}

interface Opened {
  readonly head: string;
  /** From the beginning, head included. */
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads far enough to tell the format; what is compressed with gzip is read as what it holds. */
async function openInput(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const opened = await openBytes(stream);
  const [one, two] = opened.magic;
  if (one !== 0x1f || two !== 0x8b) return opened;
  // The stream is read as it is asked for: however much comes out of it, a piece at a time is in memory.
  const unpacked = await openBytes(unpack(opened.chunks));
  return {
    ...unpacked,
    close: async () => {
      await unpacked.close();
      await opened.close();
    },
  };
}

async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // What goes wrong on the way is thrown where it is read.
  pipeline(Readable.from(chunks), gunzip, () => {});
  yield* gunzip as AsyncIterable<Uint8Array>;
}

async function openBytes(stream: AsyncIterable<Uint8Array>): Promise<Opened & { readonly magic: Uint8Array }> {
  const iterator = stream[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.byteLength;
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  const head = Buffer.concat(first).subarray(0, HEAD_BYTES);
  return {
    magic: head.subarray(0, 2),
    head: head.toString('utf8'),
    chunks: chunks(),
    close: async () => {
      await iterator.return?.();
    },
  };
}

/** Deeper than any real folder of sessions; links to folders are not followed, so there are no circles. */
const MAX_FOLDER_DEPTH = 32;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git']);
const ENDINGS = ['json', 'jsonl', 'ndjson', 'csv', 'traj'];
const READ_ENDINGS = new RegExp(`\\.(?:${ENDINGS.join('|')})(?:\\.gz)?$`, 'i');

/** Files that may hold records, by name, so that the same folder always gives the same order. */
async function* walk(folder: string, fail: (path: string, reason: string) => void, depth = 0): AsyncGenerator<string> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    fail(folder, messageOf(error));
    return;
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < MAX_FOLDER_DEPTH && !SKIPPED_FOLDERS.has(entry.name)) yield* walk(path, fail, depth + 1);
    } else if (entry.isFile() && READ_ENDINGS.test(entry.name)) yield path;
  }
}

/** Ids of one generation; two are remembered. */
const MAX_RECENT = 50_000;

/** The ids read lately. A resumed session repeats the lines of the one before, mostly in a file of the same folder. */
class RecentIds {
  private young = new Set<string>();
  private old = new Set<string>();

  /** False when it was there already. */
  add(id: string): boolean {
    if (this.young.has(id) || this.old.has(id)) return false;
    if (this.young.size === MAX_RECENT) {
      this.old = this.young;
      this.young = new Set();
    }
    this.young.add(id);
    return true;
  }
}

function keepOnce(batch: Batch, seen: RecentIds): Batch {
  const outcomes = batch.outcomes.filter(({ id }) => seen.add(id));
  const repeated = batch.outcomes.length - outcomes.length;
  return repeated === 0 ? batch : { ...batch, outcomes, leftOut: { ...batch.leftOut, 'read before': repeated } };
}

function keepSince(batch: Batch, sinceMs: number | undefined): Batch {
  if (sinceMs === undefined || batch.outcomes.every(({ atMs }) => atMs >= sinceMs)) return batch;
  return { ...batch, outcomes: batch.outcomes.filter(({ atMs }: Outcome) => atMs >= sinceMs) };
}

/** Files that hold what could be read, in a form that cannot. */
const HINTS: readonly (readonly [magic: string, hint: string])[] = [
  ['PK\u0003\u0004', ': it is an archive; of an .eval log of Inspect make JSON with "inspect log convert --to json"'],
  ['SQLite format 3', ': it is a database; export the sessions that it holds as JSON'],
];

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'not readable: permission denied',
  EPERM: 'not readable: operation not permitted',
  EISDIR: 'is a folder',
  ELOOP: 'a circle of links',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
};

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return REASONS[code] ?? error.message;
}
