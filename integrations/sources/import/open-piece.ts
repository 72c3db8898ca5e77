/** A piece of a stream as its bytes. */
export interface PieceBytes {
  readonly bytes: Buffer;
  /** Its length when it was longer than the cap; `bytes` is empty then. */
  readonly cutFrom?: number;
}

/** A piece whose end has not come yet, from as many chunks as it takes. Holds at most `maxBytes` of it. */
export class OpenPiece {
  private readonly maxBytes: number;
  private parts: Buffer[] = [];
  /** What came of it so far, also of what is too long to be kept. */
  length = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  keep(part: Buffer): void {
    this.length += part.length;
    // The chunk's memory is used again for the next one by some streams, so the part is copied.
    if (this.length <= this.maxBytes) this.parts.push(Buffer.from(part));
    else this.parts = [];
  }

  /** The whole of it, with its last part, and begins anew. It may share the memory of the chunk. */
  close(last: Buffer): PieceBytes {
    const total = this.length + last.length;
    const bytes = this.parts.length === 0 ? last : Buffer.concat([...this.parts, last]);
    this.parts = [];
    this.length = 0;
    return total > this.maxBytes ? { bytes: Buffer.alloc(0), cutFrom: total } : { bytes };
  }
}
