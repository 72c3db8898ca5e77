import { OpenPiece, type PieceBytes } from './open-piece.js';
import { MAX_LINE_BYTES } from './read-lines.js';

/** Piece of a JSON document: an entry of its list, a member of its object, or an entry of a list in such a member. */
export interface Member extends PieceBytes {
  /** Name of the member; absent if the document itself is a list. */
  readonly key?: string;
  /** Line it begins in, counted from 1. */
  readonly number: number;
}

export interface MembersOptions {
  readonly member: (member: Member) => void;
  /** Called when a document has ended; another one may follow. `torn`: the input ended inside the document. */
  readonly end: (torn: boolean) => void;
  /** Maximum size of a member. Default 64 MB. */
  readonly maxMemberBytes?: number;
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

/**
 * Splits JSON documents without holding a whole one: `{"info": ..., "steps": [a, b]}` yields `info`, then `a` and `b`
 * as `steps`. Holds one piece at a time. Reads only strings, brackets and commas; the parser decides whether a piece is
 * valid JSON.
 */
export class MemberSplitter {
  private readonly options: MembersOptions;
  private readonly open: OpenPiece;
  private depth = 0;
  /** Depth of the pieces: 1 in the document, 2 in a list that is a member of it. */
  private base = 1;
  private root: 'list' | 'object' | undefined;
  /** True inside an object, before the colon. */
  private atKey = false;
  private key: string | undefined;
  private inString = false;
  private line = 1;
  private startLine = 1;
  private isOpen = false;

  constructor(options: MembersOptions) {
    this.options = options;
    this.open = new OpenPiece(options.maxMemberBytes ?? MAX_LINE_BYTES);
  }

  push(chunk: Uint8Array): void {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = this.isOpen ? 0 : -1;
    for (let index = 0; index < buffer.length; index++) {
      const byte = buffer[index] ?? 0;
      if (this.inString) {
        const end = this.stringEnd(buffer, index);
        index = end;
        if (this.inString || !this.atKey || this.depth !== 1 || start < 0) continue;
        this.isOpen = false;
        this.key = this.open
          .close(buffer.subarray(start, end + 1))
          .bytes.subarray(1, -1)
          .toString('utf8');
        start = -1;
        continue;
      }
      if (byte <= 32) {
        if (byte === BREAK) this.line++;
        continue;
      }
      if (this.depth === 0) {
        this.begin(byte);
        continue;
      }
      const atBase = this.depth === this.base;
      if (atBase && (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT)) {
        if (start >= 0) this.close(buffer.subarray(start, index));
        start = -1;
        if (byte === COMMA) this.atKey = this.root === 'object' && this.base === 1;
        else this.leave();
        continue;
      }
      if (atBase && byte === COLON && this.atKey) {
        this.atKey = false;
        continue;
      }
      if (atBase && start < 0) {
        // A list in a member yields its entries one by one.
        if (byte === OPEN_LIST && this.root === 'object' && this.base === 1 && !this.atKey) {
          this.depth = 2;
          this.base = 2;
          continue;
        }
        start = index;
        this.isOpen = true;
        this.startLine = this.line;
      }
      if (byte === QUOTE) this.inString = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.depth++;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.depth--;
    }
    if (start >= 0) this.open.keep(buffer.subarray(start));
  }

  /** Emits an unfinished piece and ends the last document. */
  end(): void {
    if (this.isOpen && !this.atKey) this.close(Buffer.alloc(0));
    if (this.depth > 0) this.options.end(true);
  }

  private begin(byte: number): void {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) return;
    this.root = byte === OPEN_LIST ? 'list' : 'object';
    this.atKey = this.root === 'object';
    this.key = undefined;
    this.depth = 1;
    this.base = 1;
  }

  private leave(): void {
    this.depth--;
    this.base = 1;
    if (this.depth > 0) return;
    this.options.end(false);
  }

  /** Returns the offset where the string ends, or the chunk. */
  private stringEnd(buffer: Buffer, from: number): number {
    let end = from;
    if (this.escaped) {
      this.escaped = false;
      end++;
    }
    for (; end < buffer.length; end++) {
      const byte = buffer[end];
      if (byte === BACKSLASH) {
        end++;
        if (end === buffer.length) this.escaped = true;
      } else if (byte === QUOTE) {
        this.inString = false;
        return end;
      } else if (byte === BREAK) this.line++;
    }
    return end;
  }
  private escaped = false;

  private close(last: Buffer): void {
    this.isOpen = false;
    const key = this.key === undefined ? {} : { key: this.key };
    this.options.member({ ...key, number: this.startLine, ...this.open.close(last) });
  }
}
