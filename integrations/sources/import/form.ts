/** Maximum length of a first line. A longer one is taken for a document on one line, which is read piece by piece. */
const MAX_FIRST_LINE = 8 * 1024 * 1024;

const QUOTE = 34;
const BREAK = 10;
const BACKSLASH = 92;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** `lines`: each line is an object. `document`: JSON that may span many lines. */
export type Form = 'lines' | 'document';

/** Detects the form of JSON text from its first line, which may arrive in any number of pieces. */
export class FormFinder {
  #seen = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** True once the first object of the line has ended. */
  #closed = false;
  /** True if the line is the tail of a record, in a file cut at its beginning. */
  #isTail = false;

  /** Returns the form once it is known. */
  push(chunk: Uint8Array): Form | undefined {
    for (const byte of chunk) {
      const form = this.#take(byte);
      if (form) return form;
    }
    return undefined;
  }

  /** Returns the form of an input that has ended. */
  end(): Form {
    return this.#closed ? 'lines' : 'document';
  }

  #take(byte: number): Form | undefined {
    if (++this.#seen > MAX_FIRST_LINE) return 'document';
    if (byte === BREAK) return this.#endLine();
    if (this.#isTail) return undefined;
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inText = false;
      return undefined;
    }
    if (byte <= 32 || byte >= 0x80) return undefined; // also the byte-order mark
    if (this.#closed) return 'document';
    return this.#depth === 0 ? this.#begin(byte) : this.#inside(byte);
  }

  #begin(byte: number): Form | undefined {
    if (byte === OPEN_LIST) return 'document';
    if (byte === OPEN_OBJECT) this.#depth = 1;
    else this.#isTail = true;
    return undefined;
  }

  #inside(byte: number): undefined {
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#closed = --this.#depth === 0;
  }

  #endLine(): Form | undefined {
    if (this.#closed) return 'lines';
    // JSON text has no line breaks, so this line was cut off, and the next one is a whole record.
    if (this.#inText) return 'lines';
    this.#isTail = false;
    return this.#depth > 0 ? 'document' : undefined;
  }
}

/** Returns the form of a complete text. */
export function formOf(text: string): Form {
  const finder = new FormFinder();
  return finder.push(Buffer.from(text)) ?? finder.end();
}

/** Yields the pieces of an input with its form, once that is known. Holds at most the first line. */
export async function* withForm(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly chunk: Uint8Array; readonly form: Form }> {
  const finder = new FormFinder();
  let waiting: Uint8Array[] = [];
  let form: Form | undefined;
  for await (const chunk of chunks) {
    if (form) {
      yield { chunk, form };
      continue;
    }
    form = finder.push(chunk);
    // A stream may use the memory of a piece again for the next one.
    waiting.push(form ? chunk : Buffer.from(chunk));
    if (!form) continue;
    for (const each of waiting) yield { chunk: each, form };
    waiting = [];
  }
  for (const each of waiting) yield { chunk: each, form: finder.end() };
}
