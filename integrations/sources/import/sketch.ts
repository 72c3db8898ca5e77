/** Bytes copied unchanged: enough to recognise nearly every file. */
const WHOLE_BYTES = 64 * 1024;
/** Bytes of the input read to find keys that follow a long list or a long text. */
const MAX_LOOKED_AT = 16 * 1024 * 1024;
/** Bytes kept of a very long beginning. */
const MAX_KEPT = 128 * 1024;
/** Bytes kept of tables and other text, which have no structure to shorten; a line may hold a long cell. */
const MAX_PLAIN = 1024 * 1024;
/** Parts kept beyond `WHOLE_BYTES` of each text, list and object. The document itself shows all its members. */
const KEPT_OF_TEXT = 120;
const KEPT_ENTRIES = 3;
const KEPT_MEMBERS = 50;
/** Number of documents, lines or list entries that are enough. */
const ENOUGH = 50;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const LETTER_U = 0x75;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Container {
  readonly isList: boolean;
  entries: number;
}

/**
 * Beginning of an input with long texts and long lists shortened, so that keys behind them are visible. It depends only
 * on the bytes and not on how they are split into pieces.
 */
export class Sketch {
  #kept: Uint8Array = Buffer.allocUnsafe(MAX_KEPT);
  #length = 0;
  #seen = 0;
  #isJson: boolean | undefined;
  #containers: Container[] = [];
  #documents = 0;
  #inText = false;
  /** Remaining bytes of an escape sequence; a text is never cut within one. */
  #escape = 0;
  #textLength = 0;
  /** True while the rest of the text is dropped. */
  #cutText = false;
  /** Depth of the container whose further entries are dropped. */
  #dropping: number | undefined;

  /** Reads the next bytes. Returns true if further bytes are not needed. */
  push(chunk: Uint8Array): boolean {
    for (let index = 0; index < chunk.length; index++) {
      if (this.#isEnough()) return true;
      this.#seen++;
      this.#take(chunk[index] ?? 0);
    }
    return this.#isEnough();
  }

  get text(): string {
    const text = Buffer.from(this.#kept.buffer, this.#kept.byteOffset, this.#length).toString('utf8');
    // Every open container ends between two entries, so closing it makes a whole document.
    return this.#dropping === undefined ? text : text + this.#closing();
  }

  #closing(): string {
    const open = this.#containers.slice(0, this.#dropping).reverse();
    return open.map(({ isList }) => (isList ? ']' : '}')).join('');
  }

  #isEnough(): boolean {
    if (this.#seen < WHOLE_BYTES) return false;
    if (this.#isJson !== true) return this.#length >= MAX_PLAIN;
    const [root] = this.#containers;
    const entries = root?.isList === true ? root.entries : this.#documents;
    return this.#seen >= MAX_LOOKED_AT || this.#length >= MAX_KEPT || entries >= ENOUGH;
  }

  #take(byte: number): void {
    if (this.#isJson === undefined && byte > 32 && byte < 0x80)
      this.#isJson = byte === OPEN_LIST || byte === OPEN_OBJECT;
    if (this.#isJson !== true) this.#keep(byte);
    else if (this.#inText) this.#takeText(byte);
    else this.#takeOutside(byte);
  }

  #takeText(byte: number): void {
    const ends = byte === QUOTE && this.#escape === 0;
    const fits = this.#seen <= WHOLE_BYTES || this.#textLength < KEPT_OF_TEXT || this.#escape > 0;
    if (ends) this.#inText = false;
    if (this.#escape > 0) this.#escape += byte === LETTER_U && this.#escape === 1 ? 3 : -1;
    else if (byte === BACKSLASH) this.#escape = 1;
    if (!ends && !fits) this.#cutText = true;
    if (this.#dropping === undefined && (ends || !this.#cutText)) this.#keep(byte);
    this.#textLength++;
  }

  #takeOutside(byte: number): void {
    switch (byte) {
      case COMMA:
        this.#endEntry();
        break;
      case QUOTE:
        this.#inText = true;
        this.#cutText = false;
        this.#textLength = 0;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#containers.push({ isList: byte === OPEN_LIST, entries: 0 });
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#endContainer();
        break;
      default:
    }
    if (this.#dropping === undefined) this.#keep(byte);
  }

  #endEntry(): void {
    const inner = this.#containers.at(-1);
    if (inner === undefined) return;
    inner.entries++;
    const isLong = inner.entries >= (inner.isList ? KEPT_ENTRIES : KEPT_MEMBERS);
    const depth = this.#containers.length;
    if (depth > 1 && isLong && this.#seen > WHOLE_BYTES) this.#dropping ??= depth;
  }

  #endContainer(): void {
    const depth = this.#containers.length;
    if (this.#dropping === depth) this.#dropping = undefined;
    if (this.#containers.pop() && depth === 1) this.#documents++;
  }

  #keep(byte: number): void {
    if (this.#length === this.#kept.length) {
      if (this.#isJson === true || this.#length >= MAX_PLAIN) return;
      const longer = Buffer.allocUnsafe(MAX_PLAIN);
      longer.set(this.#kept);
      this.#kept = longer;
    }
    this.#kept[this.#length++] = byte;
  }
}
