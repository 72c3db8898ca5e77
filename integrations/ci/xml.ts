export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes; readonly line: number }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

export type Attributes = Readonly<Record<string, string>>;

/** Document that is not well-formed XML, or larger in one place than is read. */
export class XmlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const MAX_TAG = 8_000_000;
const MAX_DEPTH = 256;

interface Section {
  readonly start: string;
  readonly stop: string;
  readonly isText?: true;
}

/** Markup with an end of its own. */
const SECTIONS: readonly Section[] = [
  { start: '<!--', stop: '-->' },
  { start: '<![CDATA[', stop: ']]>', isText: true },
  { start: '<?', stop: '?>' },
];

/**
 * Reads XML in pieces of any size. Holds one tag at a time. Only the five entities of XML and numbers are replaced:
 * nothing is declared, fetched or expanded, so a document cannot grow.
 */
export class XmlScanner {
  readonly #emit: (event: XmlEvent) => void;
  #rest = '';
  #line = 1;
  /** Offset in `#rest` up to which the end of an open tag was searched. */
  #searched = 0;
  #quote = '';
  #brackets = 0;
  #section: Section | undefined;
  readonly #open: string[] = [];
  #hasRoot = false;

  /** @param emit Called for each event, also for those before an error. */
  constructor(emit: (event: XmlEvent) => void) {
    this.#emit = emit;
  }

  push(text: string): void {
    this.#rest += text;
    let at = 0;
    while (at < this.#rest.length) {
      const next = this.#next(at);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = this.#rest.slice(at);
    this.#searched = Math.max(0, this.#searched - at);
    if (this.#rest.length > MAX_TAG) throw this.#error(`a tag has more than ${MAX_TAG} characters`);
  }

  /** Checks that the document is complete. */
  end(): void {
    const open = this.#open.at(-1);
    if (open !== undefined) throw this.#error(`the report ends inside of <${open}>: its end is missing`);
    if (this.#section || this.#rest.startsWith('<')) throw this.#error('the report ends inside of a tag');
    if (!this.#hasRoot) throw this.#error('the report has no element');
  }

  /** Returns the offset behind the next piece of markup or text, or undefined if its end is yet to come. */
  #next(at: number): number | undefined {
    if (this.#section) return this.#inSection(this.#section, at);
    return this.#rest[at] === '<' ? this.#markup(at) : this.#text(at);
  }

  #text(at: number): number | undefined {
    const end = this.#rest.indexOf('<', at);
    let to = end < 0 ? this.#rest.length : end;
    if (end < 0) {
      // An entity may be cut at the end of a piece.
      const entity = this.#rest.lastIndexOf('&');
      if (entity >= at && to - entity < 12 && !this.#rest.includes(';', entity)) to = entity;
      if (to === at) return undefined;
    }
    const raw = this.#rest.slice(at, to);
    this.#line += lineBreaks(raw);
    if (this.#open.length > 0) this.#emit({ kind: 'text', text: unescaped(raw) });
    return to;
  }

  #markup(at: number): number | undefined {
    for (const section of SECTIONS) {
      const { start } = section;
      if (this.#rest.startsWith(start, at)) {
        this.#section = section;
        return at + start.length;
      }
      // The piece may end inside of `<![CDATA[`.
      if (this.#rest.length - at < start.length && start.startsWith(this.#rest.slice(at))) return undefined;
    }
    const end = this.#endOfTag(at);
    if (end === undefined) return undefined;
    const tag = this.#rest.slice(at + 1, end);
    const line = this.#line;
    this.#line += lineBreaks(tag);
    if (!tag.startsWith('!')) this.#tag(tag, line);
    return end + 1;
  }

  /** Skips a comment or an instruction; the characters of a CDATA section are text, passed on as they arrive. */
  #inSection({ stop, isText }: Section, at: number): number | undefined {
    const end = this.#rest.indexOf(stop, at);
    // The end may be cut at the end of a piece.
    const to = end < 0 ? Math.max(at, this.#rest.length - stop.length + 1) : end;
    const text = this.#rest.slice(at, to);
    this.#line += lineBreaks(text);
    if (isText && text !== '' && this.#open.length > 0) this.#emit({ kind: 'text', text });
    if (end < 0) return to === at ? undefined : to;
    this.#section = undefined;
    return end + stop.length;
  }

  /** Returns the offset of the `>` that ends the tag at `at`; one inside of quotes or a declaration does not. */
  #endOfTag(at: number): number | undefined {
    const isDeclaration = this.#rest[at + 1] === '!';
    const marks = isDeclaration ? /["'>[\]]/g : /["'>]/g;
    marks.lastIndex = Math.max(this.#searched, at + 1);
    for (let found = marks.exec(this.#rest); found; found = marks.exec(this.#rest)) {
      if (!this.#isEnd(found[0])) continue;
      this.#searched = 0;
      this.#brackets = 0;
      return found.index;
    }
    this.#searched = this.#rest.length;
    return undefined;
  }

  #isEnd(mark: string): boolean {
    if (this.#quote !== '') {
      if (mark === this.#quote) this.#quote = '';
      return false;
    }
    if (mark === '[') this.#brackets++;
    else if (mark === ']') this.#brackets--;
    else if (mark !== '>') this.#quote = mark;
    return mark === '>' && this.#brackets <= 0;
  }

  #tag(tag: string, line: number): void {
    if (tag.startsWith('/')) {
      const name = tag.slice(1).trim();
      const open = this.#open.pop();
      if (open !== name) throw this.#error(`</${name.slice(0, 40)}> ends <${open ?? 'nothing'}>`);
      this.#emit({ kind: 'close', name });
      return;
    }
    const isEmpty = tag.endsWith('/');
    const [name = ''] = /^[^\s/]+/.exec(tag) ?? [];
    if (!/^[\p{L}_:]/u.test(name)) throw this.#error(`<${tag.slice(0, 20)}> is not a tag`);
    if (this.#open.length === 0 && this.#hasRoot) throw this.#error('there is more after the end of the report');
    if (this.#open.length >= MAX_DEPTH) throw this.#error(`elements are nested more than ${MAX_DEPTH} deep`);
    this.#hasRoot = true;
    this.#emit({ kind: 'open', name, attributes: attributesOf(tag, name.length), line });
    if (isEmpty) this.#emit({ kind: 'close', name });
    else this.#open.push(name);
  }

  #error(message: string): XmlError {
    return new XmlError(message, this.#line);
  }
}

function attributesOf(tag: string, from: number): Attributes {
  const attributes: Record<string, string> = Object.create(null);
  const each = /(?<![^\s=/"'])([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
  each.lastIndex = from;
  for (let found = each.exec(tag); found; found = each.exec(tag)) {
    attributes[found[1] ?? ''] = unescaped(found[2] ?? found[3] ?? '');
  }
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
