/**
 * Returns a source with its texts, comments and regular expressions as spaces, so that each bracket left is code. The
 * positions stay the same. Undefined if a text, a comment or an expression has no end.
 */
export function blanked(source: string): string | undefined {
  return new Blanking(source).run();
}

/** Words after which a slash begins a regular expression. */
const BEFORE_EXPRESSION: ReadonlySet<string> = new Set(
  'return typeof case in delete void throw new instanceof yield await else do'.split(' '),
);

class Blanking {
  readonly #source: string;
  readonly #out: string[] = [];
  /** Depth of braces at which each open template continues. */
  readonly #templates: number[] = [];
  #at = 0;
  #depth = 0;
  /** Last word, or last character that is no space. A text counts as `"`. */
  #last = '';

  constructor(source: string) {
    this.#source = source;
  }

  run(): string | undefined {
    while (this.#at < this.#source.length) if (!this.#step()) return undefined;
    return this.#templates.length === 0 ? this.#out.join('') : undefined;
  }

  /** Takes the next part. Returns false if it has no end. */
  #step(): boolean {
    const [character = '', next] = [this.#source[this.#at], this.#source[this.#at + 1]];
    if (character === '/' && next === '/') return this.#blank(this.#find('\n', this.#at) ?? this.#source.length);
    if (character === '/' && next === '*') return this.#blank(this.#find('*/', this.#at + 2, 2));
    if (character === '"' || character === "'") return this.#value(this.#closing(character, this.#at + 1));
    if (character === '/' && this.#beginsExpression()) return this.#value(this.#expressionEnd());
    if (character === '`') return this.#template();
    if (character === '}' && this.#templates.at(-1) === this.#depth) {
      this.#templates.pop();
      return this.#template();
    }
    this.#code(character);
    return true;
  }

  #code(character: string): void {
    if (character === '{') this.#depth++;
    if (character === '}') this.#depth--;
    const word = /[\w$]/.test(character) ? /^[\w$]+/.exec(this.#source.slice(this.#at, this.#at + 40))?.[0] : undefined;
    const taken = word ?? character;
    this.#out.push(...taken);
    this.#at += taken.length;
    if (/\S/.test(taken)) this.#last = (taken === '+' || taken === '-') && this.#last === taken ? taken + taken : taken;
  }

  /** A slash divides after a value, and begins an expression after an operator. */
  #beginsExpression(): boolean {
    if (BEFORE_EXPRESSION.has(this.#last)) return true;
    return !/[\w$)\]}"]$|^(?:\+\+|--)$/.test(this.#last);
  }

  /** Takes a template up to its end, or to the code inside of it. */
  #template(): boolean {
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const character = this.#source[at];
      if (character === '\\') at++;
      else if (character === '`') return this.#value(at + 1);
      else if (character === '$' && this.#source[at + 1] === '{') {
        this.#templates.push(this.#depth);
        this.#last = '{';
        return this.#blank(at + 2);
      }
    }
    return false;
  }

  #closing(quote: string, from: number): number | undefined {
    for (let at = from; at < this.#source.length; at++) {
      const character = this.#source[at];
      if (character === '\\') at++;
      else if (character === quote) return at + 1;
      else if (character === '\n') return undefined;
    }
    return undefined;
  }

  #expressionEnd(): number | undefined {
    let inClass = false;
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const character = this.#source[at];
      if (character === '\\') at++;
      else if (character === '\n') return undefined;
      else if (character === '[') inClass = true;
      else if (character === ']') inClass = false;
      else if (character === '/' && !inClass) return at + 1;
    }
    return undefined;
  }

  #find(text: string, from: number, length = 0): number | undefined {
    const at = this.#source.indexOf(text, from);
    return at < 0 ? undefined : at + length;
  }

  #value(end: number | undefined): boolean {
    this.#last = '"';
    return this.#blank(end);
  }

  #blank(end: number | undefined): boolean {
    if (end === undefined) return false;
    for (; this.#at < end; this.#at++) this.#out.push(this.#source[this.#at] === '\n' ? '\n' : ' ');
    return true;
  }
}
