/** Piece of a stream as bytes. */
export interface PieceBytes {
  readonly bytes: Buffer;
  /** Original length if it exceeded the cap; `bytes` is then empty. */
  readonly cutFrom?: number;
}

/** Unfinished piece, collected from any number of chunks. Holds at most `maxBytes` of it. */
export class OpenPiece {
  private readonly maxBytes: number;
  private parts: Buffer[] = [];
  /** Length so far, even if the piece is too long to be kept. */
  length = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  keep(part: Buffer): void {
    this.length += part.length;
    // Some streams reuse the chunk's memory for the next one, so the part is copied.
    if (this.length <= this.maxBytes) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  /**
   * Returns the whole piece including its last part, and starts the next one. The piece may share the memory of the
   * chunk.
   */
  close(last: Buffer): PieceBytes {
    const total = this.length + last.length;
    const bytes = this.parts.length === 0 ? last : Buffer.concat([...this.parts, last]);
    this.parts = [];
    this.length = 0;
    return total > this.maxBytes ? { bytes: Buffer.alloc(0), cutFrom: total } : { bytes };
  }
}
