import { crc32 } from 'node:zlib';
import { FRAME_BYTES, MARK, putChecksum } from './line.js';

const OPEN = `${MARK}00000000",`;
const NEWLINE = 10;

/**
 * Lines on their way to a file. Gathering is one concatenation per line; all of them become bytes at once, and the
 * checksums are then computed over those bytes and put in their places. That takes about half the time of sealing line
 * by line, because no text is flattened or encoded twice.
 */
export class LineBatch {
  #text = '';
  #lengths: number[] = [];

  /** `rest` is the object without its opening brace, as for `sealLine`. */
  add(rest: string): void {
    const line = `${OPEN + rest}\n`;
    this.#text += line;
    this.#lengths.push(line.length);
  }

  get count(): number {
    return this.#lengths.length;
  }

  /** In UTF-16 units. */
  get length(): number {
    return this.#text.length;
  }

  /** The sealed lines; the batch is empty afterwards. */
  take(): Buffer {
    const bytes = Buffer.from(this.#text);
    // Only where every character is one byte do the lengths of the texts say where their bytes end.
    const isPlain = bytes.byteLength === this.#text.length;
    let from = 0;
    for (const length of this.#lengths) {
      const to = isPlain ? from + length : bytes.indexOf(NEWLINE, from) + 1;
      putChecksum(bytes, from + MARK.length, crc32(bytes.subarray(from + FRAME_BYTES, to - 1)));
      from = to;
    }
    this.#text = '';
    this.#lengths = [];
    return bytes;
  }
}
