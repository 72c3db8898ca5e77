import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from 'rsi-loop';
import { RecentIds } from '../recent-ids.js';
import { type FindingsMode, findingOutcomes } from '../sessions/outcomes-of.js';
import { detectImporter, IMPORTERS } from './detect.js';
import type { Batch, Importer, InputProblem } from './importer.js';
import { InputCount, READ_BEFORE } from './input-count.js';
import { KeptText, SESSION_FORMATS } from './kept-text.js';
import { type Opened, openInput } from './open-input.js';

/** Options of `readInputs` and `importTraces`. */
export interface ReadInputsOptions {
  /** Leaves out outcomes that ended earlier. */
  readonly sinceMs?: number;
  /** Called for every record or file that could not be read, immediately, with file and line. */
  readonly onProblem?: (problem: InputProblem) => void;
  /** Stops reading; the iteration ends without an error. */
  readonly signal?: AbortSignal;
  /** Stream that `-` reads. Default: the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly importers?: readonly Importer[];
  /** Time for records without one from standard input. */
  readonly nowMs?: number;
  /** Leaves a fraction in the time of records without one, so that they can be told from dated ones. */
  readonly marksUndated?: true;
  /** Called with each session log of a person and an agent, read to its end. Logs over 24 MB are left out. */
  readonly onSession?: (text: string, path: string) => void;
  /**
   * Adds what sessions show without an error, as outcomes: answers that claim what was not seen, corrections by users, and
   * the first wrong step. `aside` keeps them out of rates and health; `counted` makes them failures. Default: none.
   */
  readonly findings?: FindingsMode;
}

/** Outcomes of one piece of one input, in their order in the input. */
export interface InputBatch extends Batch {
  readonly path: string;
  /** Name of the importer that read it. */
  readonly importer: string;
  /**
   * Time given to records without one, epoch milliseconds: when the file was last written. With `marksUndated`, no
   * record with a time of its own has this time.
   */
  readonly undatedMs: number;
}

/** Summary of the inputs; complete when the iteration has ended. */
export interface InputSummary {
  /** Inputs that an importer read to their end or to an error. */
  readonly filesRead: number;
  /** Paths and files that could not be opened, read or recognised. */
  readonly filesFailed: number;
  /** Files in folders that no importer recognises; these are not reported as problems. */
  readonly filesIgnored: number;
  /**
   * Inputs that were read but contained no outcome, by reason. An input named by its own path is also reported as a
   * problem.
   */
  readonly nothingFound: Readonly<Record<string, number>>;
  readonly outcomes: number;
  readonly lines: number;
  readonly bytes: number;
  /** Lines that should be outcomes but could not be read. */
  readonly skipped: number;
  readonly leftOut: Readonly<Record<string, number>>;
}

/**
 * Outcomes read from files, folders and streams, one after another.
 *
 *     const reading = readInputs(['~/.claude/projects', 'more.jsonl', '-'], { sinceMs, onProblem });
 *     for await (const { outcomes, bytes } of reading) ...
 *     reading.summary.skipped
 */
export interface InputReading extends AsyncIterable<InputBatch> {
  readonly summary: InputSummary;
}

/** Reads files, folders (with everything below them) and standard input (`-`), and detects the format of each. */
export function readInputs(paths: readonly string[], options: ReadInputsOptions = {}): InputReading {
  const reader = new InputReader(options);
  return { [Symbol.asyncIterator]: () => reader.readAll(paths), summary: reader.summary };
}

class InputReader {
  readonly summary = {
    filesRead: 0,
    filesFailed: 0,
    filesIgnored: 0,
    nothingFound: {} as Record<string, number>, // filled while reading
    outcomes: 0,
    lines: 0,
    bytes: 0,
    skipped: 0,
    leftOut: {} as Record<string, number>, // filled while reading
  };
  readonly #options: ReadInputsOptions;
  readonly #seen = new RecentIds(MAX_RECENT);

  constructor(options: ReadInputsOptions) {
    this.#options = options;
  }

  async *readAll(paths: readonly string[]): AsyncGenerator<InputBatch> {
    for (const path of paths) {
      if (this.#options.signal?.aborted) return;
      try {
        if (path !== '-' && (await stat(path)).isDirectory()) yield* this.#readFolder(path);
        else yield* this.#readNamed(path === '-' ? stdinSource(this.#options) : await fileSource(path));
      } catch (error) {
        this.#fail(path, messageOf(error));
      }
    }
  }

  /** Reads an input that was named by its own path, so that the caller learns why nothing was found in it. */
  async *#readNamed(source: Source): AsyncGenerator<InputBatch> {
    const { path } = source;
    const ending = yield* this.#tryOne(source);
    if (ending.kind === 'unknown') this.#fail(path, ending.reason);
    if (ending.kind !== 'read') return;
    this.summary.filesRead++;
    if (ending.nothing !== undefined) this.#options.onProblem?.({ path, reason: ending.nothing });
  }

  async *#readFolder(folder: string): AsyncGenerator<InputBatch> {
    const fail = (path: string, reason: string) => this.#fail(path, reason);
    let usable = 0;
    let files = 0;
    for await (const path of walk(folder, fail)) {
      if (this.#options.signal?.aborted) return;
      const source = await fileSource(path);
      // A file last written before that time holds only earlier records. One day is added for clock differences.
      if (source.atMs < (this.#options.sinceMs ?? 0) - 86_400_000) continue;
      files++;
      const { kind } = yield* this.#tryOne(source);
      if (kind === 'read') usable++;
      else if (kind === 'unknown') this.summary.filesIgnored++;
    }
    this.summary.filesRead += usable;
    if (files === 0) fail(folder, `holds no file with a name ending in ${ENDINGS.map((one) => `.${one}`).join(', ')}`);
    else if (usable === 0) fail(folder, `none of its ${files} files is in a known format`);
  }

  async *#tryOne(source: Source): AsyncGenerator<InputBatch, Ending> {
    try {
      return yield* this.#readOne(source);
    } catch (error) {
      this.#fail(source.path, `cannot be read: ${messageOf(error)}`);
      return { kind: 'failed' };
    }
  }

  async *#readOne({ path, atMs: writtenMs, open }: Source): AsyncGenerator<InputBatch, Ending> {
    const { sinceMs, signal, importers = IMPORTERS, marksUndated } = this.#options;
    const atMs = marksUndated ? writtenMs + UNDATED : writtenMs;
    const opened = await openInput(open());
    try {
      const importer = detectImporter({ path, text: opened.head }, importers);
      if (importer === undefined) return { kind: 'unknown', reason: whyUnknown(opened) };
      const counted = new InputCount(importer.title);
      const wantsText = this.#options.onSession !== undefined || this.#options.findings !== undefined;
      const kept = wantsText && SESSION_FORMATS.has(importer.name) ? new KeptText() : undefined;
      const chunks = kept ? kept.pass(opened.chunks) : opened.chunks;
      for await (const batch of importer.read({ path, atMs, chunks })) {
        const own = keepOnce(keepSince(batch, sinceMs), this.#seen);
        counted.count(batch, own);
        this.#count(own);
        yield { ...own, path, importer: importer.name, undatedMs: atMs };
        if (signal?.aborted) return { kind: 'read' };
      }
      if (kept?.text !== undefined) yield* this.#review(kept.text, { path, atMs });
      const nothing = counted.whyNothing();
      if (nothing === undefined) return { kind: 'read' };
      addTo(this.summary.nothingFound, nothing, 1);
      return { kind: 'read', nothing };
    } finally {
      await opened.close();
    }
  }

  *#review(text: string, input: { readonly path: string; readonly atMs: number }): Generator<InputBatch> {
    const { onSession, findings, sinceMs } = this.#options;
    onSession?.(text, input.path);
    const outcomes = findings === undefined ? [] : findingOutcomes(text, input, findings);
    if (outcomes.length === 0) return;
    const batch = { outcomes, skipped: [], leftOut: {}, lines: 0, bytes: 0 };
    const own = keepOnce(keepSince(batch, sinceMs), this.#seen);
    this.#count(own);
    yield { ...own, path: input.path, importer: 'sessions', undatedMs: input.atMs };
  }

  #count(batch: Batch): void {
    const { summary } = this;
    summary.outcomes += batch.outcomes.length;
    summary.lines += batch.lines;
    summary.bytes += batch.bytes;
    summary.skipped += batch.skipped.length;
    for (const problem of batch.skipped) this.#options.onProblem?.(problem);
    for (const [reason, times] of Object.entries(batch.leftOut)) addTo(summary.leftOut, reason, times);
  }

  #fail(path: string, reason: string): void {
    this.summary.filesFailed++;
    this.#options.onProblem?.({ path, reason });
  }
}

function addTo(counts: Record<string, number>, reason: string, times: number): void {
  counts[reason] = (counts[reason] ?? 0) + times;
}

/** Result of trying an input. A failed one was already reported. */
type Ending =
  | { readonly kind: 'read'; readonly nothing?: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'failed' };

interface Source {
  readonly path: string;
  readonly atMs: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

const CHUNK_BYTES = 1024 * 1024;
/** Fraction of a millisecond that no record's own time has. */
const UNDATED = 1 / 3;

async function fileSource(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { path, atMs: Math.floor(mtimeMs), open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) };
}

function stdinSource({ stdin, nowMs }: ReadInputsOptions): Source {
  return { path: '-', atMs: nowMs ?? Date.now(), open: () => stdin ?? process.stdin };
}

/** Maximum depth, more than any real folder of sessions. Links to folders are not followed, so there are no cycles. */
const MAX_FOLDER_DEPTH = 32;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git']);
const ENDINGS = ['json', 'jsonl', 'ndjson', 'csv', 'traj'];
const READ_ENDINGS = new RegExp(`\\.(?:${ENDINGS.join('|')})(?:\\.gz)?$`, 'i');

/** Yields files that may hold records, sorted by name, so that a folder always has the same order. */
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

/** Ids remembered. A resumed session repeats the lines of the earlier one, mostly in a file of the same folder. */
const MAX_RECENT = 100_000;

function keepOnce(batch: Batch, seen: RecentIds): Batch {
  const outcomes = batch.outcomes.filter(({ id }) => seen.add(id));
  const repeated = batch.outcomes.length - outcomes.length;
  return repeated === 0 ? batch : { ...batch, outcomes, leftOut: { ...batch.leftOut, [READ_BEFORE]: repeated } };
}

function keepSince(batch: Batch, sinceMs: number | undefined): Batch {
  if (sinceMs === undefined || batch.outcomes.every(({ atMs }) => atMs >= sinceMs)) return batch;
  return { ...batch, outcomes: batch.outcomes.filter(({ atMs }: Outcome) => atMs >= sinceMs) };
}

function whyUnknown({ head, isEmpty }: Opened): string {
  if (isEmpty) return 'is empty';
  const hint = HINTS.find(([magic]) => head.startsWith(magic))?.[1];
  return `is in no known format${hint ?? keysOf(head)}`;
}

/** Returns the first keys of a JSON text, to show in messages what was read. */
function keysOf(head: string): string {
  if (!/^\ufeff?\s*[[{]/.test(head)) return '';
  const names = [...head.slice(0, 4_000).matchAll(/"([^"\\]{1,40})"\s*:/g)].map(([, name]) => name ?? '');
  const first = [...new Set(names)].slice(0, 5).map((name) => `"${name}"`);
  return first.length === 0 ? ': it is JSON without any key' : `: its first keys are ${first.join(', ')}`;
}

/** Hints for files with usable content in an unreadable form. */
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
