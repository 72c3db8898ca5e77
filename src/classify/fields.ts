/** Limits on nesting and members. Anything beyond is skipped. */
const MAX_DEPTH = 12;
const MAX_MEMBERS = 64;

export interface Fields {
  readonly value: object;
  /** Index at which the text continues after the object. */
  readonly end: number;
}

/**
 * Parses an object printed inside a text: JSON, escaped JSON, a Python dict, or the output of Node's inspect. Truncated
 * and slightly malformed objects are accepted, too. Returns `undefined` if no list of fields follows the brace. One
 * pass, no backtracking.
 */
export function parseFields(text: string, start: number): Fields | undefined {
  const escaped = /^\{\s{0,4}\\["']/.test(text.slice(start, start + 8));
  const source = escaped ? text.slice(start).replaceAll('\\"', '"').replaceAll("\\'", "'") : text;
  const parser = new Parser(source, escaped ? 0 : start);
  const value = parser.object(0);
  if (Object.keys(value).length === 0) return undefined;
  return { value, end: escaped ? text.length : parser.at };
}

class Parser {
  at: number;
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  object(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = Object.create(null);
    let count = 0;
    this.at++;
    while (this.at < this.#text.length) {
      this.#space();
      const unit = this.#text[this.at];
      if (unit === '}') {
        this.at++;
        break;
      }
      const key = this.#key();
      this.#space();
      if (this.#text[this.at] !== ':' && this.#text[this.at] !== '=') {
        this.at++;
        continue;
      }
      this.at++;
      const value = this.#value(depth);
      if (key !== '' && count++ < MAX_MEMBERS && !(key in fields)) fields[key] = value;
    }
    return fields;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.at++;
    while (this.at < this.#text.length) {
      this.#space();
      if (this.#text[this.at] === ']') {
        this.at++;
        break;
      }
      const before = this.at;
      const value = this.#value(depth);
      if (this.at === before) this.at++;
      else if (items.length < MAX_MEMBERS) items.push(value);
    }
    return items;
  }

  #value(depth: number): unknown {
    this.#space();
    const unit = this.#text[this.at];
    if (unit === '{' || unit === '[') {
      if (depth >= MAX_DEPTH) return this.#skip();
      return unit === '{' ? this.object(depth + 1) : this.#array(depth + 1);
    }
    if (unit === '"' || unit === "'" || unit === '`') return this.#quoted(unit);
    return this.#bare();
  }

  #key(): string {
    const unit = this.#text[this.at];
    if (unit === '"' || unit === "'") return this.#quoted(unit);
    const start = this.at;
    while (this.at < this.#text.length && /[\w$@.[\]-]/.test(this.#text[this.at] ?? '')) this.at++;
    return this.#text.slice(start, this.at).replace(/^\[|\]$/g, ''); // inspect prints `[cause]: ...`
  }

  #quoted(quote: string): string {
    const start = ++this.at;
    let plain = true;
    while (this.at < this.#text.length && this.#text[this.at] !== quote) {
      if (this.#text[this.at] === '\\') {
        plain = false;
        this.at++;
      }
      this.at++;
    }
    const raw = this.#text.slice(start, this.at);
    this.at++;
    return plain ? raw : unquote(raw);
  }

  /** Reads a number, a word, or the head of a printed error (`SocketError: closed`) up to the end of its line. */
  #bare(): unknown {
    const start = this.at;
    while (this.at < this.#text.length && !/[,}\]\n]/.test(this.#text[this.at] ?? '')) this.at++;
    const word = this.#text.slice(start, this.at).trim();
    if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(word)) return Number(word);
    return word === 'null' || word === 'None' || word === 'undefined' || word === '' ? null : word;
  }

  /** Skips values that are nested too deep. */
  #skip(): undefined {
    this.at = this.#text.length;
    return undefined;
  }

  #space(): void {
    while (this.at < this.#text.length && /[\s,]/.test(this.#text[this.at] ?? '')) this.at++;
  }
}

function unquote(raw: string): string {
  return raw.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, code: string) => {
    if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return code === 'n' || code === 'r' || code === 't' ? '\n' : code;
  });
}
