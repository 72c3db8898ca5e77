import type { Cursor, StoredRecord } from '../contract/journal.js';
import { type Line, linesOf, otherFormatIn, type Value } from './block-lines.js';
import { isPosition } from './check-record.js';
import { otherFormat } from './format.js';
import { hashOf } from './hash-of.js';
import { jsonOf } from './json-of.js';
import { isIntact } from './line.js';
import { sortOut } from './line-order.js';
import type { Quarantine } from './quarantine.js';
import { recordOf } from './record-of.js';
import { type Block, readBlocks } from './segment-blocks.js';
import { listSegments, type Segment } from './segments.js';
import type { StoreFolder } from './store-folder.js';

/** Place where reading of a writer ended: the block of lines that was read last. */
interface Place {
  readonly serial: number;
  readonly offset: number;
  /** Position of the first record from there on. */
  readonly position: number;
}

type Batch = readonly StoredRecord[];

/** Part of a segment to read: positions before `end`. `following`: position after its last record, if known. */
interface Part {
  readonly segment: Segment;
  readonly following: number | undefined;
  readonly end: number;
}

/** State of reading one segment in order. */
interface Pass {
  /** First position that is wanted. */
  next: number;
  /** Position of the next line. */
  due: number;
  damage: Damage | undefined;
}

interface ReadBlock {
  readonly batch: Batch;
  readonly isOutOfOrder: boolean;
}

/** Reads the journal of every writer, even while they write. Reports damage, copies it to quarantine and skips it. */
export class JournalReader {
  readonly #store: StoreFolder;
  readonly #folder: string;
  readonly #quarantine: Quarantine;
  readonly #isWriting: (writer: string) => Promise<boolean>;
  readonly #places = new Map<string, Place>();

  /** `isWriting` returns whether a writer may still be adding to its last line. */
  constructor(
    store: StoreFolder,
    options: { readonly quarantine: Quarantine; readonly isWriting: (writer: string) => Promise<boolean> },
  ) {
    this.#store = store;
    this.#folder = store.inside('journal');
    this.#quarantine = options.quarantine;
    this.#isWriting = options.isWriting;
  }

  /**
   * Yields records in batches as they come from the disk: an asynchronous step per record would cost as much as
   * parsing.
   * Leaves out records of the writer `known`.
   */
  async *read(after: Cursor, upTo?: Cursor, known?: string): AsyncGenerator<readonly StoredRecord[]> {
    const { byWriter, foreign } = await listSegments(this.#store.fs, this.#folder);
    for (const name of foreign) {
      const message = `${this.#folder}/${name} is not a segment of a journal: ignored`;
      this.#store.reportOnce({ kind: 'foreign', message });
    }
    for (const writer of this.#places.keys()) if (!byWriter.has(writer)) this.#places.delete(writer);
    for (const [writer, segments] of byWriter) {
      if (writer === known) continue;
      const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[writer] ?? 0);
      yield* this.#readWriter(writer, segments, after[writer] ?? 0, end);
    }
  }

  async *#readWriter(writer: string, segments: readonly Segment[], from: number, upTo: number): AsyncGenerator<Batch> {
    let next = from;
    for (const [index, segment] of segments.entries()) {
      const following = segments[index + 1]?.from ?? segment.end;
      const end = Math.min(upTo, following ?? Number.POSITIVE_INFINITY);
      if (end <= next) continue;
      const part = { segment, following, end };
      const place = this.#places.get(writer);
      const since = place?.serial === segment.serial && place.position <= next ? place : undefined;
      const reached = yield* this.#readInOrder(part, since, next);
      next = reached.next;
      if (reached.isOutOfOrder) {
        // The positions show it: the file was edited, or the saved place belongs to a file that was replaced.
        this.#places.delete(writer);
        next = yield* this.#readOutOfOrder(part, next);
      }
      if (next >= upTo) return;
    }
  }

  /** Reads a segment whose positions increase, and stops at the first line that is out of order. */
  async *#readInOrder(
    part: Part,
    since: Place | undefined,
    from: number,
  ): AsyncGenerator<Batch, { readonly next: number; readonly isOutOfOrder: boolean }> {
    const { segment, following, end } = part;
    const pass: Pass = { next: from, due: since?.position ?? segment.from, damage: undefined };
    for await (const block of this.#blocks(part, since?.offset)) {
      const { batch, isOutOfOrder } = await this.#readBlock(part, pass, block);
      if (batch.length > 0) yield batch;
      if (isOutOfOrder || pass.next >= end) return { next: pass.next, isOutOfOrder };
    }
    const { next, due, damage } = pass;
    // Damage at the end counts as the records missing before the next segment, or else as its number of lines.
    if (damage !== undefined)
      await this.#setAside(segment, damage, Math.max(1, (following ?? due + damage.lines) - due));
    return { next, isOutOfOrder: false };
  }

  /** Reads one block of a pass, up to the first line that is out of order. */
  async #readBlock({ segment, end }: Part, pass: Pass, block: Block): Promise<ReadBlock> {
    const batch: StoredRecord[] = [];
    let isPlaced = false;
    for (const line of linesOf(block.bytes, pass.next)) {
      if (line.value === undefined) {
        pass.damage = addDamage(pass.damage, line, block);
        continue;
      }
      if (line.value.kind === 'journal') continue;
      const { n } = line.value;
      if (!isPosition(n) || n < pass.due || n > pass.due + hiddenBy(pass.damage)) return { batch, isOutOfOrder: true };
      if (pass.damage !== undefined) await this.#setAside(segment, pass.damage, n - pass.due);
      pass.damage = undefined;
      pass.due = n + 1;
      if (!isPlaced) this.#places.set(segment.writer, { serial: segment.serial, offset: block.offset, position: n });
      isPlaced = true;
      if (n < pass.next || n >= end) continue;
      pass.next = pass.due;
      await this.#addTo(batch, segment, line.value, n);
    }
    return { batch, isOutOfOrder: false };
  }

  /** Adds the record of an intact line to a batch. Sets a line with invalid content aside. */
  async #addTo(batch: StoredRecord[], segment: Segment, value: Value, position: number): Promise<void> {
    const record = recordOf(value);
    if (typeof record === 'object') batch.push({ writer: segment.writer, position, record });
    else if (record === 'wrong') await this.#setWrongAside(segment, value);
  }

  /** Reads a whole segment whose lines are out of order, and yields its records in order. */
  async *#readOutOfOrder(part: Part, from: number): AsyncGenerator<Batch, number> {
    const { segment, following, end } = part;
    const { values, damage } = await this.#valuesOf(part);
    const { kept, wrong } = sortOut(values, { from: segment.from, end: following, hidden: hiddenBy(damage) });
    const message = `${segment.path} has lines out of order: ${kept.size} records are read, ${wrong.length} are set aside`;
    this.#store.reportOnce({ kind: 'damaged', message }, `${segment.name}#order`);
    for (const value of wrong) await this.#setWrongAside(segment, value);
    const batch: StoredRecord[] = [];
    let next = from;
    for (const [position, value] of kept) {
      if (position < from || position >= end) continue;
      next = position + 1;
      await this.#addTo(batch, segment, value, position);
    }
    if (batch.length > 0) yield batch;
    return next;
  }

  /** Reads all intact lines of a segment, in the order of the file. Sets the damaged ones aside. */
  async #valuesOf(part: Part): Promise<{ readonly values: readonly Value[]; readonly damage: Damage | undefined }> {
    const values: Value[] = [];
    let damage: Damage | undefined;
    for await (const block of this.#blocks(part)) {
      for (const line of linesOf(block.bytes)) {
        if (line.value === undefined) damage = addDamage(damage, line, block);
        else if (line.value.kind !== 'journal') values.push(line.value);
      }
    }
    if (damage !== undefined) await this.#setAside(part.segment, damage, damage.lines);
    return { values, damage };
  }

  /** Yields the blocks of a segment from an offset on, without a last line that its writer is still writing. */
  async *#blocks({ segment, following }: Part, from = 0): AsyncGenerator<Block> {
    for await (const block of readBlocks(this.#store.fs, segment, from)) {
      if (block.offset === 0 && this.#isOther(segment, block.bytes)) return;
      if (!block.isCut || !(await this.#isBeingWritten(block, segment.writer, following === undefined))) yield block;
    }
  }

  /** Returns whether a last line without a line break is still being written. If not, it is whole or damaged. */
  async #isBeingWritten({ bytes }: Block, writer: string, isLast: boolean): Promise<boolean> {
    // Only the line break may be missing.
    const isWhole = isIntact(bytes, 0, bytes.byteLength);
    return isLast && !isWhole && (await this.#isWriting(writer));
  }

  #isOther(segment: Segment, block: Buffer): boolean {
    const other = otherFormatIn(block);
    if (other === undefined) return false;
    const message = otherFormat('journal', segment.path, other.format);
    this.#store.reportOnce({ kind: 'foreign', message });
    return true;
  }

  /** Copies a line to quarantine whose checksum holds but whose content is invalid. */
  async #setWrongAside(segment: Segment, value: Value): Promise<void> {
    const text = jsonOf(value);
    const name = `${segment.name}@wrong-${hashOf(text).slice(0, 16)}`;
    const what = `record ${String(value.n).slice(0, 20)} has the right checksum and wrong content`;
    const message = `${segment.path}: ${what}: it is not read`;
    if (!this.#store.reportOnce({ kind: 'damaged', message, count: 1 }, name)) return;
    await this.#quarantine.keep(name, Buffer.from(`${text}\n`));
  }

  async #setAside(segment: Segment, damage: Damage, count: number): Promise<void> {
    const name = `${segment.name}@${damage.offset}`;
    const message = `${segment.path} is damaged near byte ${damage.offset}: ${count} records cannot be read`;
    if (!this.#store.reportOnce({ kind: 'damaged', message, count }, name)) return;
    await this.#quarantine.keep(name, Buffer.from(damage.text));
  }
}

interface Damage {
  /** Offset in the file where the damage begins. */
  readonly offset: number;
  readonly text: string;
  readonly lines: number;
}

function addDamage(damage: Damage | undefined, { at = 0, text = '' }: Line, block: Block): Damage {
  return {
    offset: damage?.offset ?? block.offset + at,
    text: (damage?.text ?? '') + text,
    lines: (damage?.lines ?? 0) + 1,
  };
}

/** No line is shorter than this. */
const LEAST_LINE_BYTES = 40;

/** Returns how many records a damaged part may have held at most. */
function hiddenBy(damage: Damage | undefined): number {
  return damage === undefined ? 0 : damage.lines + Math.ceil(damage.text.length / LEAST_LINE_BYTES);
}
