import { asBuffer, OpenPiece, type Piece } from './open-piece.js';

/** Piece of a JSON document: an entry of its list, a member of its object, or an entry of a list in such a member. */
export interface JsonPiece extends Piece {
  readonly kind: 'value';
  /** Name of the member; absent outside an object. */
  readonly key?: string;
}

/** Marks where a document has ended; another one may follow. `torn`: the input ended inside the document. */
export interface DocumentEnd {
  readonly kind: 'end';
  readonly torn: boolean;
}

export interface JsonSplitterOptions {
  /** Leaves a document that is an object whole; only lists are split. */
  readonly wholeObjects?: boolean;
  /** Maximum size of a piece. Default 64 MB. */
  readonly maxPieceBytes?: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const BACKSLASH = 92;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BREAK = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Splits JSON documents without holding a whole one: `{"info": ..., "steps": [a, b]}` yields `info`, then `a` and `b`
 * as `steps`. Holds one piece at a time. Reads only strings, brackets and commas; the parser decides whether a piece is
 * valid JSON.
 */
export class JsonSplitter {
  readonly #keepsObjects: boolean;
  readonly #open: OpenPiece;
  #found: (JsonPiece | DocumentEnd)[] = [];
  #chunk: Buffer = NOTHING;
  /** Offset of the open piece in the chunk; -1 if there is none. */
  #start = -1;
  #startLine = 1;
  #line = 1;
  #depth = 0;
  /** Depth of the pieces: 0 for a whole document, 1 in the document, 2 in a list that is a member of it. */
  #base = 1;
  /** True if the document is an object that is split into members. */
  #hasKeys = false;
  /** True before the colon of a member. */
  #atKey = false;
  #key: string | undefined;
  #inString = false;
  #escaped = false;

  constructor({ wholeObjects = false, maxPieceBytes }: JsonSplitterOptions = {}) {
    this.#keepsObjects = wholeObjects;
    this.#open = new OpenPiece(maxPieceBytes);
  }

  /** Returns the pieces and documents that end in this chunk. */
  push(chunk: Uint8Array): (JsonPiece | DocumentEnd)[] {
    const buffer = asBuffer(chunk);
    this.#chunk = buffer;
    if (this.#start > 0) this.#start = 0;
    for (let index = 0; index < buffer.length; index++) {
      const byte = buffer[index] ?? 0;
      if (this.#inString) index = this.#readString(index);
      else if (byte > 32) this.#readStructure(byte, index);
      else if (byte === BREAK) this.#line++;
    }
    if (this.#start >= 0) this.#open.keep(buffer.subarray(this.#start));
    return this.#taken();
  }

  /** Returns an unfinished piece, and the end of a document that has none. */
  end(): (JsonPiece | DocumentEnd)[] {
    this.#chunk = NOTHING;
    if (this.#start >= 0 && !this.#atKey) this.#close(0);
    if (this.#depth > 0) this.#found.push({ kind: 'end', torn: true });
    return this.#taken();
  }

  #readStructure(byte: number, index: number): void {
    if (this.#depth === 0) this.#begin(byte, index);
    else if (this.#depth > this.#base || !this.#readSeparator(byte, index)) this.#readPiece(byte, index);
  }

  /** Reads what lies between two pieces. Returns false for the first byte of a piece. */
  #readSeparator(byte: number, index: number): boolean {
    if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#delimit(byte, index);
    else if (byte === COLON && this.#atKey) this.#atKey = false;
    else if (this.#start >= 0) return false;
    else if (byte === OPEN_LIST && this.#hasKeys && this.#base === 1 && !this.#atKey) {
      // A list in a member yields its entries one by one.
      this.#depth = 2;
      this.#base = 2;
    } else {
      this.#startAt(index);
      return false;
    }
    return true;
  }

  #readPiece(byte: number, index: number): void {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      this.#depth--;
      if (this.#depth !== this.#base) return;
      this.#close(index + 1);
      if (this.#base === 0) this.#found.push({ kind: 'end', torn: false });
    }
  }

  #begin(byte: number, index: number): void {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) return;
    const isWhole = this.#keepsObjects && byte === OPEN_OBJECT;
    this.#hasKeys = byte === OPEN_OBJECT && !isWhole;
    this.#atKey = this.#hasKeys;
    this.#key = undefined;
    this.#depth = 1;
    this.#base = isWhole ? 0 : 1;
    if (isWhole) this.#startAt(index);
  }

  /** Ends a piece at a comma, or a list or document at its bracket. */
  #delimit(byte: number, index: number): void {
    if (this.#start >= 0) this.#close(index);
    if (byte === COMMA) {
      this.#atKey = this.#hasKeys && this.#base === 1;
      return;
    }
    this.#depth--;
    this.#base = 1;
    if (this.#depth === 0) this.#found.push({ kind: 'end', torn: false });
  }

  /** Reads on in a string. Returns the offset where it ends, or the end of the chunk. */
  #readString(from: number): number {
    const chunk = this.#chunk;
    let end = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    for (; end < chunk.length; end++) {
      const byte = chunk[end];
      if (byte === BACKSLASH) {
        end++;
        if (end === chunk.length) this.#escaped = true;
      } else if (byte === QUOTE) {
        this.#inString = false;
        if (this.#atKey && this.#depth === 1 && this.#start >= 0) this.#readKey(end + 1);
        return end;
      } else if (byte === BREAK) this.#line++;
    }
    return end;
  }

  #readKey(end: number): void {
    const { bytes } = this.#open.close(this.#line, this.#chunk.subarray(this.#start, end));
    this.#start = -1;
    this.#key = bytes.subarray(1, -1).toString('utf8');
  }

  #startAt(index: number): void {
    this.#start = index;
    this.#startLine = this.#line;
  }

  #close(end: number): void {
    const piece = this.#open.close(this.#startLine, this.#chunk.subarray(this.#start, end));
    this.#start = -1;
    this.#found.push({ kind: 'value', ...(this.#key !== undefined && { key: this.#key }), ...piece });
  }

  #taken(): (JsonPiece | DocumentEnd)[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}
