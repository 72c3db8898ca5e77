import { asciiKind, DIGIT, fold, JOINER, kindBeyondAscii, LOWER, SIGN, UPPER } from './characters.js';
import {
  BREAK,
  type CutText,
  codeOf,
  DROPPED,
  LOOSE_STATUS,
  NAME,
  NEGATOR,
  NUMBER,
  OTHER_KEY,
  type PhraseTree,
  SPACE,
  STATUS,
  STATUS_NUMBER,
} from './phrase-tree.js';

const KINDS = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, unit) => asciiKind(unit));

/** What stands before the first word and after a break. */
const START = -1;
/** No HTTP status stands before a noun (`429 tests`); these are no nouns. */
const AFTER_STATUS =
  /^ +(?:for|from|on|at|after|while|when|and|but|because|status|too|not|bad|un\w+|forbidden|internal|service|gateway|error|response|client|server|model|to|page|payment|request|conflict|gone)\b/;
const NOUN_NEXT = /^ +\p{Ll}/u;
const QUOTES = [34, 39, 96];

/**
 * Cuts a text into the words that phrases are made of, in one pass. Ids, paths, URLs, quoted names and keys of JSON become
 * a word that no phrase contains, so that `request id 84290` or `cfg/timeout.yaml` is not taken for an error.
 */
export function cutWords(text: string, tree: PhraseTree): CutText {
  return new Cutter(fold(text), tree);
}

class Cutter implements CutText {
  readonly codes: number[] = [];
  readonly starts: number[] = [0];
  readonly negators: number[] = [];
  private readonly text: string;
  private readonly tree: PhraseTree;
  /** Flag of the word before. */
  private last = START;

  constructor(text: string, tree: PhraseTree) {
    this.text = text;
    this.tree = tree;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = kindOf(unit);
      if (kind > SIGN) at = this.chunk(at) - 1;
      else if (kind === SIGN) this.word(unit);
      else if (unit === 60) at = this.tag(at);
      else if (unit === 10 || unit === 33 || unit === 59 || unit === 0x3002) this.word(BREAK); // \n ! ; 。
    }
  }

  /** A word of one code. */
  private word(code: number): void {
    this.codes.push(code, SPACE);
    this.starts.push(this.codes.length);
    this.last = code === BREAK ? START : 0;
  }

  /** The end of an HTML tag, of a style or script with what is in it; the `<` itself where it opens no tag. */
  private tag(at: number): number {
    const found = /^<(style|script|[a-z/!])/i.exec(this.text.slice(at, at + 7))?.[1];
    if (!found) return at;
    this.word(BREAK);
    const from = found.length > 1 ? Math.max(at, this.text.indexOf(`</${found}`, at)) : at;
    const end = this.text.indexOf('>', from);
    return end >= 0 && end - from < 400 ? end : at;
  }

  /** What stands between two blanks or brackets: words, or the name of something. Gives where it ends. */
  private chunk(start: number): number {
    const text = this.text;
    let end = start;
    let slashes = 0;
    let dot = 0;
    let named = false;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      const kind = kindOf(unit);
      if (kind <= SIGN) break;
      if (kind !== JOINER) continue;
      if (unit === 47) slashes++;
      else if (unit === 46 && end > start && this.kind(end + 1) > JOINER && this.kind(end - 1) > JOINER) dot = end + 1;
      else if (unit === 64 && end > start)
        named = true; // mail addresses
      else if (unit === 92 && end === start + 2 && text[start + 1] === ':') named = true; // C:\
    }
    if (slashes > 0) {
      if (/^https?\/\d/i.test(text.slice(start, start + 6))) {
        this.parts(start, text.indexOf('/', start), false); // HTTP/1.1
        return end;
      }
      named ||= slashes > 1 || dot > 0 || (end - start > 1 && './~'.includes(text[start] ?? ''));
    }
    // `config.timeoutMs` and `api.example.com` are names, `openai.RateLimitError` is a class.
    named ||= dot > 0 && slashes === 0 && this.kind(dot) !== UPPER;
    const key = this.isKey(start, end);
    if (named || (!key && this.isQuotedName(start, end))) this.word(NAME);
    else this.parts(start, end, key);
    const closing = text[end - 1];
    if (closing === '.' || closing === '?') this.word(BREAK);
    if (key && this.last === OTHER_KEY) return this.afterValue(end);
    return end;
  }

  /** The words of `snake_case`, `kebab-case`, `camelCase` and plain words. */
  private parts(start: number, end: number, key: boolean): void {
    for (let at = start; at < end; ) {
      if (this.kind(at) === JOINER) at++;
      else at = this.part(start, at, end, key);
    }
  }

  private part(start: number, from: number, end: number, key: boolean): number {
    const { text, codes, starts } = this;
    const first = starts.length;
    let at = from;
    let begin = from;
    let node = 0;
    let previous = 0;
    let digits = 0;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      const kind = kindOf(unit);
      if (kind === JOINER) {
        if (unit === 39 && this.kind(at + 1) === LOWER) continue; // don't
        break;
      }
      if (kind === DIGIT) digits++;
      else if (kind === UPPER && at > begin && (previous === LOWER || this.kind(at + 1) === LOWER)) {
        this.close(node);
        node = 0;
        begin = at;
      }
      const code = codeOf(unit);
      codes.push(code);
      if (node > 0 || at === begin) node = this.tree.step(node, code);
      previous = kind;
    }
    if (digits === at - from) this.number(start, from, at);
    else if (digits > 0) this.replace(first);
    else {
      this.close(node);
      const setting = text[at] === '=' && this.kind(at + 1) === DIGIT; // timeout=30
      if ((key || setting) && this.last !== STATUS && this.last !== OTHER_KEY) this.replace(first);
    }
    return at;
  }

  /** Ends the word that was written. */
  private close(node: number): void {
    const flag = this.tree.flag(node);
    if (flag === DROPPED) {
      this.codes.length = this.starts.at(-1) ?? 0;
      return;
    }
    if (flag === NEGATOR) this.negators.push(this.starts.length - 1);
    this.codes.push(SPACE);
    this.starts.push(this.codes.length);
    this.last = flag;
  }

  /** Puts a name in the place of what was written since. */
  private replace(first: number): void {
    this.starts.length = first;
    this.codes.length = this.starts[first - 1] ?? 0;
    this.word(NAME);
  }

  private number(start: number, from: number, end: number): void {
    const { text, codes } = this;
    const begin = this.starts.at(-1) ?? 0;
    const joint = from > start ? text[from - 1] : ' ';
    const joined = !" :='#".includes(joint ?? '') || '/-%_'.includes(text[end] ?? ' ');
    const status =
      end - from === 3 && !joined && (text[from] === '4' || text[from] === '5') && this.isStatus(from, end);
    if (joined || end - from > 6) codes.length = begin;
    codes.splice(begin, 0, status ? STATUS_NUMBER : NUMBER);
    this.close(0);
  }

  private isStatus(from: number, end: number): boolean {
    if (this.last === STATUS) return true;
    const next = this.text.slice(end, end + 16);
    if (NOUN_NEXT.test(next) && !AFTER_STATUS.test(next)) return false;
    if (this.last === LOOSE_STATUS || this.last === START) return true;
    const lead = this.text.slice(Math.max(0, from - 3), from).trimEnd();
    const opener = lead.at(-1) ?? '';
    if ('(['.includes(opener)) return /^[)\]]|^ \p{Lu}/u.test(next);
    return '>\u2192'.includes(opener) || (opener === ':' && /^:? ?[A-Z{]/.test(next));
  }

  /** `"timeout": 30`: what a field is called says nothing about the error. */
  private isKey(start: number, end: number): boolean {
    const { text } = this;
    if (text[end] === '"') return text[start - 1] === '"' && text[end + 1] === ':';
    return text[end - 1] === ':' && text[end - 2] === "'" && text[start] === "'";
  }

  /** Past the quoted value of a key. */
  private afterValue(end: number): number {
    const open = /^[":\s]{0,4}/.exec(this.text.slice(end, end + 5))?.[0].length ?? 0;
    const quote = this.text[end + open - 1] === '"' ? '"' : this.text[end + open];
    if (quote !== '"' && quote !== "'") return end;
    let close = end + open + (quote === '"' ? 0 : 1);
    do close = this.text.indexOf(quote, close) + 1;
    while (close > 0 && this.text[close - 2] === '\\' && this.text[end - 1] !== '\\');
    return close > 0 ? close : end;
  }

  /** `timeout` in "reading 'timeout'" is a name; in "error: 'timeout'" it is what happened. */
  private isQuotedName(start: number, end: number): boolean {
    const { text } = this;
    const open = text[start] === "'" ? start : start - 1;
    const quote = text.charCodeAt(open);
    if (!QUOTES.includes(quote) || this.kind(open + 1) !== LOWER) return false;
    const close = quote === 39 ? text.indexOf("'", start + 1) : end;
    if (close > end || text.charCodeAt(close) !== quote) return false;
    return this.kind(text[open - 1] === ' ' ? open - 2 : open - 1) > JOINER;
  }

  private kind(at: number): number {
    return kindOf(this.text.charCodeAt(at));
  }
}

function kindOf(unit: number): number {
  return unit < 128 ? (KINDS[unit] ?? 0) : kindBeyondAscii(unit);
}
