/** Maximum length of a line or of a piece of a document, longer than any record an agent writes. */
export const MAX_PIECE_BYTES = 64 * 1024 * 1024;

/** Piece of a stream: a line, a row or a JSON value. */
export interface Piece {
  /** Line it begins in, counted from 1. */
  readonly number: number;
  /** May share the memory of the last chunk: use it before the next one arrives. */
  readonly bytes: Buffer;
  /** Original length if it exceeded the cap; `bytes` is then empty. */
  readonly cutFrom?: number;
}

/** Unfinished piece, collected from any number of chunks. Holds at most `maxBytes` of it. */
export class OpenPiece {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  /** Length so far, even if the piece is too long to be kept. */
  length = 0;

  constructor(maxBytes = MAX_PIECE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  keep(part: Buffer): void {
    this.length += part.length;
    // Some streams reuse the chunk's memory for the next one, so the part is copied.
    if (this.length > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  /** Returns the whole piece including its last part, and starts the next one. */
  close(number: number, last: Buffer): Piece {
    const total = this.length + last.length;
    const bytes = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.length = 0;
    return total > this.#maxBytes ? { number, bytes: Buffer.alloc(0), cutFrom: total } : { number, bytes };
  }
}

export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
