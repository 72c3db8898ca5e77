import type { Cursor, Stored, StoreProblem } from '../ports.js';
import type { JournalRecord } from '../records.js';
import { type FileSystem, ifPresent, READ_BYTES } from './file-system.js';
import { FORMAT, isIntact, parseLine, salvageLines } from './line.js';
import type { Quarantine } from './quarantine.js';
import { recordOf } from './record-of.js';
import { listSegments, type Segment } from './segments.js';

/** Where reading of a writer ended: the block of lines that was read last. */
interface Place {
  readonly serial: number;
  readonly offset: number;
  /** Position of the first record from there on. */
  readonly position: number;
}

/** Whole lines of a segment, as read in one go. */
interface Block {
  readonly bytes: Buffer;
  readonly offset: number;
  /** The rest of the file, which does not end with a line break. */
  readonly isTail: boolean;
}

const NEWLINE = 10;
/** Files and places told of; a folder with more of them has been reported enough. */
const MAX_TOLD = 10_000;

/** Reads the journal of every writer, also while they write. Damage is told, set aside and passed over. */
export class JournalReader {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #quarantine: Quarantine;
  readonly #isWriting: (writer: string) => Promise<boolean>;
  readonly #tell: (problem: StoreProblem) => void;
  readonly #places = new Map<string, Place>();
  readonly #told = new Set<string>();

  constructor(
    fs: FileSystem,
    folder: string,
    options: {
      readonly quarantine: Quarantine;
      /** Whether a writer may still be adding to its last line. */
      readonly isWriting: (writer: string) => Promise<boolean>;
      readonly tell: (problem: StoreProblem) => void;
    },
  ) {
    this.#fs = fs;
    this.#folder = folder;
    this.#quarantine = options.quarantine;
    this.#isWriting = options.isWriting;
    this.#tell = options.tell;
  }

  /**
   * Gives records in batches as they come from the disk: a step of an asynchronous iteration costs as much as parsing.
   * Those of the writer `known` are left out.
   */
  async *read(after: Cursor, upTo?: Cursor, known?: string): AsyncGenerator<readonly Stored<JournalRecord>[]> {
    const { byWriter, foreign } = await listSegments(this.#fs, this.#folder);
    for (const name of foreign) {
      this.#tellOnce(name, {
        kind: 'foreign',
        message: `${this.#folder}/${name} is no segment of a journal: left alone`,
      });
    }
    for (const writer of this.#places.keys()) if (!byWriter.has(writer)) this.#places.delete(writer);
    for (const [writer, segments] of byWriter) {
      if (writer === known) continue;
      const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[writer] ?? 0);
      yield* this.#readWriter(writer, segments, after[writer] ?? 0, end);
    }
  }

  async *#readWriter(
    writer: string,
    segments: readonly Segment[],
    from: number,
    upTo: number,
  ): AsyncGenerator<readonly Stored<JournalRecord>[]> {
    let next = from;
    for (const [index, segment] of segments.entries()) {
      const end = Math.min(upTo, segments[index + 1]?.from ?? Number.POSITIVE_INFINITY);
      if (end <= next) continue;
      let damage: Damage | undefined;
      for await (const block of this.#blocks(segment, next)) {
        if (block.offset === 0) {
          const format = newerFormat(block.bytes);
          if (format !== undefined) {
            const message = `${segment.path} has format ${format}, this version reads ${FORMAT}: upgrade this package`;
            this.#tellOnce(segment.name, { kind: 'foreign', message });
            break;
          }
        }
        if (block.isTail && !isIntact(block.bytes, 0, block.bytes.byteLength)) {
          const isLast = index === segments.length - 1;
          if (isLast && (await this.#isWriting(writer))) break;
        }
        const batch: Stored<JournalRecord>[] = [];
        let isPlaced = false;
        for (const { value, text, at = 0 } of linesOf(block.bytes)) {
          if (value === undefined) {
            damage = {
              offset: damage?.offset ?? block.offset + at,
              text: (damage?.text ?? '') + text,
              lines: (damage?.lines ?? 0) + 1,
            };
            continue;
          }
          const { n } = value;
          if (typeof n !== 'number') continue;
          if (damage !== undefined) {
            await this.#setAside(segment, damage, Math.max(0, n - next));
            damage = undefined;
          }
          if (!isPlaced) {
            this.#places.set(writer, { serial: segment.serial, offset: block.offset, position: n });
            isPlaced = true;
          }
          if (n < next || n >= end) continue;
          next = n + 1;
          const record = recordOf(value);
          if (record !== undefined) batch.push({ writer, position: n, record });
        }
        if (batch.length > 0) yield batch;
        if (next >= upTo) return;
      }
      if (damage === undefined) continue;
      // The records after the last one that was read: as many as the next segment leaves out, else as many as lines.
      const after = segments[index + 1]?.from ?? next + damage.lines;
      await this.#setAside(segment, damage, Math.max(1, after - next));
    }
  }

  /** The blocks of a segment that may hold records from `next` on. */
  async *#blocks(segment: Segment, next: number): AsyncGenerator<Block> {
    const file = await ifPresent(this.#fs.open(segment.path, 'r'));
    // Retention took it between the listing and now.
    if (file === undefined) return;
    try {
      const place = this.#places.get(segment.writer);
      let offset = place?.serial === segment.serial && place.position <= next ? place.offset : 0;
      let bytes = Buffer.allocUnsafe(READ_BYTES);
      let filled = 0;
      for (;;) {
        const count = await this.#fs.read(file, bytes.subarray(filled), offset + filled);
        filled += count;
        const end = bytes.lastIndexOf(NEWLINE, filled - 1) + 1;
        if (count > 0 && end === 0) {
          // A line longer than the buffer: go on reading into a larger one.
          if (filled === bytes.byteLength) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.byteLength)]);
          continue;
        }
        if (end > 0 && filled > 0) {
          const block = bytes.subarray(0, end);
          if (offset === 0 || lastPosition(block) >= next) yield { bytes: block, offset, isTail: false };
          bytes.copyWithin(0, end, filled);
          filled -= end;
          offset += end;
        }
        if (count === 0) {
          if (filled > 0) yield { bytes: bytes.subarray(0, filled), offset, isTail: true };
          return;
        }
      }
    } finally {
      await this.#fs.close(file);
    }
  }

  async #setAside(segment: Segment, damage: Damage, count: number): Promise<void> {
    const name = `${segment.name}@${damage.offset}`;
    if (this.#told.has(name)) return;
    const message = `${segment.path} is damaged near byte ${damage.offset}: ${count} records cannot be read`;
    this.#tellOnce(name, { kind: 'damaged', message, count });
    await this.#quarantine.keep(name, Buffer.from(damage.text));
  }

  #tellOnce(key: string, problem: StoreProblem): void {
    if (this.#told.has(key) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(key);
    this.#tell(problem);
  }
}

interface Damage {
  /** Where it begins in the file. */
  readonly offset: number;
  readonly text: string;
  readonly lines: number;
}

interface Line {
  /** Absent when the line is damaged. */
  readonly value?: Value;
  /** The damaged text, and where in the block it stands. */
  readonly text?: string;
  readonly at?: number;
}

type Value = Readonly<Record<string, unknown>>;

/** Lines parsed in one go: one call for many costs two thirds of a call for each. */
const PARSED_BYTES = 32_768;

/** The lines of a block, whose line breaks become commas. */
function linesOf(bytes: Buffer): readonly Line[] {
  const lines: Line[] = [];
  /** The intact lines that are not parsed yet. */
  let first = 0;
  let last = 0;
  for (let from = 0; from < bytes.byteLength; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.byteLength : newline;
    const intact = isIntact(bytes, from, to);
    if (intact) last = to;
    if (!intact || to - first > PARSED_BYTES) {
      pushParsed(lines, bytes, first, last);
      first = to + 1;
    } else if (newline >= 0) bytes[newline] = COMMA;
    if (!intact && to > from) lines.push(...salvaged(bytes.toString('utf8', from, to), from));
    from = to + 1;
  }
  pushParsed(lines, bytes, first, last);
  return lines;
}

const COMMA = 44;

/** Parses intact lines that stand one behind the other, with commas for line breaks. */
function pushParsed(lines: Line[], bytes: Buffer, from: number, to: number): void {
  if (to <= from) return;
  const text = bytes.toString('utf8', from, to);
  try {
    for (const value of JSON.parse(`[${text}]`) as readonly Value[]) lines.push({ value }); // lines that begin with the mark are objects
  } catch {
    // Sealed, and yet no JSON: one bad line must not hide the others.
    for (const piece of text.split(/,(?=\{"crc":")/)) {
      const line = parseLine(piece);
      lines.push(...(line ? [line] : salvaged(piece, from)));
    }
  }
}

function salvaged(damaged: string, at: number): readonly Line[] {
  return [{ text: `${damaged}\n`, at }, ...salvageLines(damaged).lines.map(({ value }) => ({ value }))];
}

/** The position in the last line that shows one; high enough for every question when none does. */
function lastPosition(block: Buffer): number {
  const from = block.lastIndexOf(NEWLINE, block.byteLength - 2) + 1;
  const last = /^\{"crc":"[0-9a-f]{8}","n":(\d+),/.exec(block.toString('latin1', from, from + 64));
  return last === null ? Number.POSITIVE_INFINITY : Number(last[1]);
}

function newerFormat(block: Buffer): number | undefined {
  const end = block.indexOf(NEWLINE);
  const header = parseLine(block.toString('utf8', 0, end === -1 ? block.byteLength : end));
  const format = header?.value.format;
  return typeof format === 'number' && format > FORMAT ? format : undefined;
}
