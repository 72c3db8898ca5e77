import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { type Outcome, parseOutcome } from 'rsi-loop';
import type { Piece } from '../import/open-piece.js';
import { type DocumentEnd, type JsonPiece, JsonSplitter } from '../import/split-json.js';
import { LineSplitter, parseLine } from '../import/split-lines.js';
import { codeOf } from './drop-files.js';

export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly maxRecordBytes: number;
}

/** Callbacks for reading a file: one per outcome, and a pause. */
export interface FileReading {
  /**
   * Called per outcome, counted by `number` from 0. Outcomes without an id have the id `''`. A returned text says what is
   * wrong with the record, although it is taken.
   */
  readonly onOutcome: (outcome: Outcome, number: number) => string | undefined;
  /** Called from time to time; reading waits for its promise. */
  readonly pause: () => Promise<void>;
}

/** Result of reading; `reasons` is empty if every record was recorded. */
export interface FileResult {
  readonly records: number;
  readonly reasons: readonly string[];
}

const CHUNK_BYTES = 65_536;
/** Maximum number of reasons reported. Reading stops after `MAX_BAD` bad records if none was good. */
const MAX_REASONS = 20;
const MAX_BAD = 1_000;
/** Errors of the machine, not of the file, so the file is tried again. */
const PASSING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR']);
const SOURCE = 'drop-folder';
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Reads a claimed file. Throws only transient errors; all others become a reason. */
export async function readFile(path: string, limits: ReadLimits, reading: FileReading): Promise<FileResult> {
  try {
    const before = await lstat(path);
    const reason = unfit(before, limits);
    if (reason !== undefined) return { records: 0, reasons: [reason] };
    // If something else has replaced the file, do not follow a link and do not wait for the other end of a pipe.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const opened = unfit(await file.stat(), limits);
      if (opened !== undefined) return { records: 0, reasons: [opened] };
      return await new Reader(Math.floor(before.mtimeMs), limits, reading).read(file, /\.json$/i.test(path));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (PASSING.has(codeOf(error)) || codeOf(error) === '') throw error;
    return { records: 0, reasons: [`cannot be read (${codeOf(error)})`] };
  }
}

function unfit(found: Stats, { maxFileBytes }: ReadLimits): string | undefined {
  if (found.isSymbolicLink()) return 'is a link: write the file itself here';
  if (found.isDirectory()) return 'is a folder: write files here';
  if (!found.isFile()) return 'is not a regular file: write plain files here';
  if (found.size === 0) return 'is empty: write it elsewhere, then rename it to here';
  if (found.size > maxFileBytes)
    return `has ${found.size} bytes, more than ${maxFileBytes}: split it, or raise maxFileBytes`;
  return undefined;
}

class Reader {
  readonly #atMs: number;
  readonly #limits: ReadLimits;
  readonly #reading: FileReading;
  readonly #reasons: string[] = [];
  #records = 0;
  #bad = 0;

  constructor(atMs: number, limits: ReadLimits, reading: FileReading) {
    this.#atMs = atMs;
    this.#limits = limits;
    this.#reading = reading;
  }

  async read(file: FileHandle, isDocument: boolean): Promise<FileResult> {
    const { maxRecordBytes, maxFileBytes } = this.#limits;
    const splitter = isDocument
      ? new JsonSplitter({ wholeObjects: true, maxPieceBytes: maxRecordBytes })
      : new LineSplitter(maxRecordBytes);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = 0; this.#bad < MAX_BAD || this.#records > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      const reason = position === 0 ? whyHopeless(chunk, isDocument) : undefined;
      if (reason !== undefined) return { records: 0, reasons: [reason] };
      this.#take(splitter.push(chunk));
      position += bytesRead;
      if (position > maxFileBytes) {
        this.#refuse(`grew beyond ${maxFileBytes} bytes while it was read`);
        break;
      }
      await this.#reading.pause();
    }
    this.#take(splitter.end());
    if (this.#records === 0 && this.#bad === 0)
      this.#refuse('holds no record: give objects with a task and success or an error');
    return this.#result();
  }

  #result(): FileResult {
    const more = this.#bad - this.#reasons.length;
    return { records: this.#records, reasons: more > 0 ? [...this.#reasons, `and ${more} more`] : this.#reasons };
  }

  #take(pieces: readonly (Piece | JsonPiece | DocumentEnd)[]): void {
    let isCut = false;
    for (const piece of pieces) {
      if ('bytes' in piece) isCut = !this.#record(piece);
      else if (piece.torn && !isCut) this.#refuse('its list has no end: it is cut off, or was not complete');
    }
  }

  /** Reads one record. Returns false if it is not an object in JSON. */
  #record(piece: Piece): boolean {
    const parsed = parseLine(piece);
    if (parsed.kind === 'bad') this.#refuse(`line ${piece.number}: ${parsed.reason}`);
    if (parsed.kind !== 'object') return parsed.kind === 'blank';
    const { outcome, problems } = parseOutcome(parsed.value, { id: '', atMs: this.#atMs, source: SOURCE });
    const reasons = problems.map(({ field, expected }) => `${field}: give ${expected}`);
    const reason = outcome ? this.#reading.onOutcome(outcome, this.#records++) : reasons.join('; ');
    if (reason !== undefined) this.#refuse(`line ${piece.number}: ${reason}`);
    return true;
  }

  #refuse(reason: string): void {
    this.#bad++;
    if (this.#reasons.length < MAX_REASONS) this.#reasons.push(reason);
  }
}

/** Returns why nothing in the file can be read, judged by its first chunk; undefined if it may be readable. */
function whyHopeless(chunk: Buffer, isDocument: boolean): string | undefined {
  const [one, two] = chunk;
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)) return 'is UTF-16: write UTF-8';
  if (one === 0 || two === 0) return 'is binary: write JSON as text in UTF-8';
  if (one === 0x1f && two === 0x8b) return 'is compressed: unpack it';
  const begin = chunk.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
  const first = chunk.subarray(begin).find((byte) => byte > 0x20);
  if (isDocument && first !== undefined && first !== 0x7b && first !== 0x5b) {
    return 'is not valid JSON: it does not begin with { or [';
  }
  return undefined;
}
