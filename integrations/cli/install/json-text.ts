import { LoopError } from 'rsi-loop';

/** A value of a JSON text with its place in it, so that parts can be changed and all the rest stays as it is. */
export type JsonNode =
  | { readonly kind: 'object'; readonly start: number; readonly end: number; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly start: number; readonly end: number; readonly items: readonly JsonNode[] }
  | { readonly kind: 'value'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly key: string;
  /** Where its key begins. */
  readonly start: number;
  readonly value: JsonNode;
}

/** One change of a text: what stands between two places, and what is to stand there. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds the parts of a JSON text. Comments and commas behind the last member are let through, as some programs do.
 * @throws LoopError `invalid-input` with the line where it is no JSON.
 */
export function parseJsonText(text: string): JsonNode {
  const parser = new Parser(text);
  return parser.document();
}

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((result, { start, end, text: put }) => result.slice(0, start) + put + result.slice(end), text);
}

export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key === key) : undefined;
}

/** How a text is laid out: what it indents by and how it ends lines. */
export interface Layout {
  readonly unit: string;
  readonly newline: string;
}

export function layoutOf(text: string): Layout {
  return { unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** A value as text, indented as the text around it. */
export function written(value: unknown, depth: number, { unit, newline }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + unit.repeat(depth));
}

/** Adds pieces at the end of an object or array. */
export function appendTo(node: JsonNode, pieces: readonly string[], depth: number, layout: Layout): TextEdit {
  const inner = layout.newline + layout.unit.repeat(depth + 1);
  const parts =
    node.kind === 'object' ? node.members.map(({ value }) => value) : node.kind === 'array' ? node.items : [];
  const last = parts.at(-1);
  const joined = pieces.join(`,${inner}`);
  if (last) return { start: last.end, end: last.end, text: `,${inner}${joined}` };
  const outer = layout.newline + layout.unit.repeat(depth);
  return { start: node.start + 1, end: node.end - 1, text: inner + joined + outer };
}

/** Takes parts of an object or array out, with the commas between. `parts` are all of it, as places. */
export function removeFrom(
  parts: readonly { readonly start: number; readonly end: number }[],
  isRemoved: (index: number) => boolean,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const firstKept = parts.findIndex((_, index) => !isRemoved(index));
  const [first] = parts;
  const kept = parts[firstKept];
  if (first && kept && firstKept > 0) edits.push({ start: first.start, end: kept.start, text: '' });
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (index > firstKept && before && isRemoved(index)) edits.push({ start: before.end, end: part.end, text: '' });
  }
  return edits;
}

const SPACE = /[\s\ufeff]/;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#skip();
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#error('something follows its end');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > 200) throw this.#error('it is nested too deeply');
    const char = this.#text[this.#at];
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    const start = this.#at;
    if (char === '"') this.#string();
    else {
      const literal = /^(?:-?\d[\d.eE+-]*|true|false|null)/.exec(this.#text.slice(this.#at, this.#at + 64))?.[0];
      if (literal === undefined) throw this.#error('a value is missing');
      this.#at += literal.length;
    }
    return { kind: 'value', start, end: this.#at };
  }

  #object(depth: number): JsonNode {
    const start = this.#at++;
    const members: JsonMember[] = [];
    while (this.#next('}')) {
      const keyStart = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#error('a name in quotes is missing');
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#error('a colon is missing');
      this.#at++;
      this.#skip();
      members.push({ key, start: keyStart, value: this.#value(depth + 1) });
      this.#comma('}');
    }
    return { kind: 'object', start, end: this.#at, members };
  }

  #array(depth: number): JsonNode {
    const start = this.#at++;
    const items: JsonNode[] = [];
    while (this.#next(']')) {
      items.push(this.#value(depth + 1));
      this.#comma(']');
    }
    return { kind: 'array', start, end: this.#at, items };
  }

  /** False at the closing bracket, which is then behind us. */
  #next(close: string): boolean {
    this.#skip();
    if (this.#at >= this.#text.length) throw this.#error('it has no end');
    if (this.#text[this.#at] !== close) return true;
    this.#at++;
    return false;
  }

  #comma(close: string): void {
    this.#skip();
    const char = this.#text[this.#at];
    if (char === ',') this.#at++;
    else if (char !== close) throw this.#error('a comma is missing');
  }

  #string(): string {
    const found = /"(?:[^"\\\n]|\\.)*"/y;
    found.lastIndex = this.#at;
    const text = found.exec(this.#text)?.[0];
    if (text === undefined) throw this.#error('a text has no end');
    this.#at += text.length;
    try {
      return JSON.parse(text) as string; // a JSON text in quotes is a string
    } catch {
      throw this.#error('a text is not written as JSON');
    }
  }

  #skip(): void {
    for (;;) {
      while (this.#at < this.#text.length && SPACE.test(this.#text[this.#at] ?? '')) this.#at++;
      if (this.#text.startsWith('//', this.#at)) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) throw this.#error('a comment has no end');
        this.#at = end + 2;
      } else return;
    }
  }

  #error(what: string): LoopError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new LoopError('invalid-input', `line ${line} is no JSON: ${what}`);
  }
}
