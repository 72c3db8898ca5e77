import { DIGIT, JOINER, kindOf, LOWER, SIGN, UPPER } from './characters.js';
import { HASH_PRIME, HASH_START } from './lexicon.js';
import { BREAK, DROPPED, LOOSE_STATUS, NAME, OTHER_KEY, type Phrases, STATUS } from './phrases.js';

/** Bit that converts a letter to lower case. */
const SMALL = 32;
/** Value for the flag of the previous word at the start and after a break. */
const START = -1;
/** A number before a noun is no HTTP status (`429 tests`). These words are not nouns. */
const NOUN_NEXT =
  /^ +(?!(?:for|from|on|at|after|while|when|and|but|because|status|too|not|bad|un\w+|forbidden|internal|service|gateway|error|response|client|server|model|to|page|payment|request|no|gone)\b)\p{Ll}/u;
/** `certificate_7504069`, `order-20931`: a word with a long number identifies one thing. */
const ID = /^[a-z]{2,24}(?:[-_][a-z]{2,24}){0,3}[-_]\d{4,24}$/i;
const TAG = /^<(?:(style|script)\b|[/!]?[a-z]\w{0,9}(?:\/?>| [\w-]{1,20}=| html))/i;

/**
 * Splits a folded text into the words of phrases, in one pass. Ids, paths, URLs, quoted names and JSON keys become
 * words that no phrase contains. So `request id 84290` or `cfg/timeout.yaml` is not mistaken for an error. Buffers are
 * reused for every text, because this runs for every failed task.
 */
export class Tokenizer {
  /** Words of the last text as symbols, 0 for words that no phrase contains. */
  readonly symbols: number[] = [];
  /** Number of words. */
  count = 0;
  readonly #phrases: Phrases;
  #text = '';
  /** Flag of the previous word. */
  #last = START;
  /** Slashes in the last chunk, and the index after the last dot between two words of it. */
  #slashes = 0;
  #dot = 0;
  /** Whether the last chunk is a name. */
  #isName = false;

  constructor(phrases: Phrases) {
    this.#phrases = phrases;
  }

  read(text: string): void {
    this.#text = text;
    this.count = 0;
    this.#last = START;
    const { length } = text;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 32) continue;
      const kind = kindOf(unit);
      if (kind > SIGN) at = this.#chunk(at, unit, kind) - 1;
      else if (kind === SIGN) this.#put(this.#phrases.hashSymbol(Math.imul(HASH_START ^ unit, HASH_PRIME)));
      else if (unit === 60) at = this.#skipTag(at);
      else if (unit === 10 || unit === 33 || unit === 59 || unit === 0x3002)
        this.#put(BREAK); // \n ! ; 。
      else if (unit === 44 && text[at - 1] === '"') this.#put(BREAK); // between JSON items
    }
  }

  #put(symbol: number): void {
    const flag = this.#phrases.flagAt[symbol] ?? 0;
    if (flag === DROPPED) return;
    this.symbols[this.count++] = symbol;
    this.#last = symbol === BREAK ? START : flag;
  }

  /** Adds a word. Looks it up by the hash of its lower-case letters first. */
  #putWord(start: number, end: number, hash: number): void {
    this.#put(this.#phrases.hashSymbol(hash) || this.#wordSymbol(start, end));
  }

  #wordSymbol(start: number, end: number): number {
    const word = this.#text.slice(start, end).toLowerCase();
    return this.#phrases.wordSymbol(word.includes("'") ? word.replaceAll("'", '') : word);
  }

  /** Replaces the words added since `first` with a name. */
  #rename(first: number): void {
    this.count = first;
    this.#put(NAME);
  }

  #kindAt(at: number): number {
    return kindOf(this.#text.charCodeAt(at));
  }

  /** Reads the text between two blanks or brackets: words or a name. Returns its end. */
  #chunk(start: number, unit: number, kind: number): number {
    const plain = kind === DIGIT ? this.#plainNumber(start) : kind === JOINER ? -1 : this.#plainWord(start, unit);
    if (plain > 0) return plain;
    const end = this.#chunkEnd(start);
    const key = this.#isKey(start, end);
    if (this.#isStatusPath(start)) {
      this.#part(start, start, end, false);
      return end;
    }
    if (this.#isName || (!key && (this.#isQuotedName(start, end) || this.#isId(start, end)))) this.#put(NAME);
    else this.#parts(start, end, key);
    const tail = this.#text[end - 1];
    if (tail === '.' || tail === '?') this.#put(BREAK);
    return key && this.#last === OTHER_KEY ? this.#skipValue(end) : end;
  }

  #parts(start: number, end: number, key: boolean): void {
    for (let at = start; at < end; ) {
      if (this.#kindAt(at) === JOINER) at++;
      else at = this.#part(at, start, end, key);
    }
  }

  /** Fast path: reads a word of letters before a blank, as `#chunk` would. Returns its end, or -1. */
  #plainWord(start: number, first: number): number {
    const text = this.#text;
    let at = start;
    let unit = small(first);
    let hash = HASH_START;
    do {
      hash = Math.imul(hash ^ unit, HASH_PRIME);
      unit = ++at < text.length ? text.charCodeAt(at) : 32;
    } while (unit > 96 && unit < 123);
    const kind = kindOf(unit);
    if (kind >= LOWER) return -1;
    if (kind > SIGN) {
      // Also accepts `failed:` and `refused.` before a blank.
      if ((unit !== 58 && unit !== 46) || (at + 1 < text.length && text.charCodeAt(at + 1) > 32)) return -1;
    } else if (unit === 34 || unit === 96) return -1;
    this.#putWord(start, at, hash);
    if (unit === 46) this.#put(BREAK);
    return kind > SIGN ? at + 1 : at;
  }

  #plainNumber(start: number): number {
    const text = this.#text;
    let at = start;
    while (at < text.length && this.#kindAt(at) === DIGIT) at++;
    if (at < text.length && (this.#kindAt(at) > SIGN || text[at] === '"')) return -1;
    this.#number(start, start, at);
    return at;
  }

  /**
   * Returns the end of a chunk. Paths, hosts and addresses are names: `src/a.ts`, `config.timeoutMs`,
   * `api.example.com`, `a@b`, `C:\`. `openai.RateLimitError` is a class, not a name.
   */
  #chunkEnd(start: number): number {
    this.#slashes = 0;
    this.#dot = 0;
    this.#isName = false;
    let end = start + 1;
    for (let kind = this.#kindAt(end); kind > SIGN; kind = this.#kindAt(++end)) {
      if (kind === JOINER) this.#noteJoiner(end);
    }
    this.#isName ||= this.#isPath(start, end) || (this.#dot > 0 && this.#kindAt(this.#dot) !== UPPER);
    return end;
  }

  #noteJoiner(at: number): void {
    const unit = this.#text.charCodeAt(at);
    if (unit === 47) this.#slashes++;
    else if (unit === 46) {
      if (this.#kindAt(at + 1) > JOINER && this.#kindAt(at - 1) > JOINER) this.#dot = at + 1;
    } else if (unit === 64 || (unit === 92 && this.#text[at - 1] === ':')) this.#isName = true;
  }

  #isPath(start: number, end: number): boolean {
    const head = this.#text[start];
    if (this.#slashes > 1 || (end - start > 1 && (head === '/' || head === '~'))) return true;
    return this.#slashes > 0 && (this.#dot > 0 || head === '.');
  }

  /** Returns whether the chunk is like `HTTP/1.1`, or one of Gemini's model names. */
  #isStatusPath(start: number): boolean {
    const unit = this.#text.charCodeAt(start) | SMALL;
    return (unit === 104 || unit === 109) && /^(?:https?\/\d|models\/)/i.test(this.#text.slice(start, start + 7));
  }

  /** Returns whether the chunk is a key, as in `"timeout": 30`. A key says nothing about the error. */
  #isKey(start: number, end: number): boolean {
    const text = this.#text;
    return text[end] === '"'
      ? text[start - 1] === '"' && text[end + 1] === ':'
      : text[end - 1] === ':' && text[end - 2] === "'" && text[start] === "'";
  }

  #isId(start: number, end: number): boolean {
    return this.#kindAt(end - 1) === DIGIT && this.#kindAt(start) !== DIGIT && ID.test(this.#text.slice(start, end));
  }

  /**
   * Returns whether the chunk is a quoted name. `timeout` in "reading 'timeout'" is a name; in "error: 'timeout'" it is
   * the failure.
   */
  #isQuotedName(start: number, end: number): boolean {
    const text = this.#text;
    const open = text.charCodeAt(start) === 39 ? start : start - 1;
    const quote = text[open] ?? '';
    if ((quote !== "'" && quote !== '"' && quote !== '`') || this.#kindAt(open + 1) !== LOWER) return false;
    const closed = quote === "'" ? text.slice(start + 1, end + 1).includes(quote) : text[end] === quote;
    return closed && this.#kindAt(text[open - 1] === ' ' ? open - 2 : open - 1) > JOINER;
  }

  /** Returns the index after the quoted value of a key. */
  #skipValue(end: number): number {
    const text = this.#text;
    const open = end + (/^[":\s]{0,4}/.exec(text.slice(end, end + 5))?.[0].length ?? 0);
    const close =
      text[open - 1] === '"' ? text.indexOf('"', open) : text[open] === "'" ? text.indexOf("'", open + 1) : -1;
    return close < 0 ? end : close + 1;
  }

  /**
   * Returns the end of an HTML tag, including the content of a style or script. Returns the index of `<` if it opens no
   * tag.
   */
  #skipTag(at: number): number {
    const text = this.#text;
    const tag = TAG.exec(text.slice(at, at + 40));
    if (!tag) return at;
    this.#put(BREAK);
    const end = text.indexOf('>', tag[1] ? Math.max(at, text.indexOf(`</${tag[1]}`, at)) : at);
    return end < 0 ? at : end;
  }

  /** Reads the words of `camelCase` and plain words up to the next joiner. Returns their end. */
  #part(from: number, start: number, end: number, key: boolean): number {
    const first = this.count;
    let at = from;
    let begin = from;
    let previous = 0;
    let digits = 0;
    let hash = HASH_START;
    for (; at < end && this.#isPart(at); at++) {
      const kind = this.#kindAt(at);
      if (kind === JOINER) continue; // don't
      if (kind === DIGIT) digits++;
      else if (at > begin && this.#startsWord(at, kind, previous)) {
        this.#putWord(begin, at, hash);
        begin = at;
        hash = HASH_START;
      }
      hash = Math.imul(hash ^ small(this.#text.charCodeAt(at)), HASH_PRIME);
      previous = kind;
    }
    if (digits === at - from) this.#number(from, start, at);
    else if (digits > 0) this.#rename(first);
    else {
      this.#putWord(begin, at, hash);
      if (key || this.#isSetting(at)) this.#renameKey(first);
    }
    return at;
  }

  /** Replaces the words of a key with a name. Keys of statuses and unrelated values keep their flags. */
  #renameKey(first: number): void {
    if (this.#last !== STATUS && this.#last !== OTHER_KEY) this.#rename(first);
  }

  /** Returns whether a part goes on. The apostrophe of "don't" is the only joiner inside a word. */
  #isPart(at: number): boolean {
    return this.#kindAt(at) !== JOINER || (this.#text.charCodeAt(at) === 39 && this.#kindAt(at + 1) === LOWER);
  }

  /** Returns whether a letter starts a word of `camelCase` or `HTTPError`. */
  #startsWord(at: number, kind: number, previous: number): boolean {
    return kind === UPPER && (previous === LOWER || this.#kindAt(at + 1) === LOWER);
  }

  /** Returns whether a number is assigned: `timeout=30`. */
  #isSetting(at: number): boolean {
    return this.#text[at] === '=' && this.#kindAt(at + 1) === DIGIT;
  }

  /** Reads a number in the chunk that begins at `start`. */
  #number(from: number, start: number, end: number): void {
    const text = this.#text;
    let value = 0;
    for (let at = from; at < end; at++) value = 10 * value + text.charCodeAt(at) - 48;
    const isPlain = value > 0 ? text.charCodeAt(from) !== 48 && !this.#isJoined(from, start, end) : end - from === 1;
    const isStatus = isPlain && value >= 400 && value < 600 && this.#isStatus(from, end);
    if (isStatus) this.#put(this.#phrases.statusSymbol(value));
    else this.#put(isPlain ? this.#phrases.numberSymbol(value) : this.#phrases.anyNumber);
  }

  /** Returns whether a number is part of an id, a version or a date. A minus sign is part of the number. */
  #isJoined(from: number, start: number, end: number): boolean {
    const text = this.#text;
    const sign = text[from - 1] === '-' && from > start ? 1 : 0;
    const before = from - sign > start ? (text[from - sign - 1] ?? '') : ' ';
    return !" :='#".includes(before) || '/-%_'.includes(text[end] ?? ' ');
  }

  #isStatus(from: number, end: number): boolean {
    if (this.#last === STATUS) return true;
    const next = this.#text.slice(end, end + 16);
    if (NOUN_NEXT.test(next)) return false;
    if (this.#last === LOOSE_STATUS || this.#last === START) return true;
    const opener =
      this.#text
        .slice(Math.max(0, from - 3), from)
        .trimEnd()
        .at(-1) ?? '';
    if ('(['.includes(opener)) return /^[)\]]|^ \p{Lu}/u.test(next);
    return '>\u2192'.includes(opener) || (opener === ':' && /^:? ?[A-Z{]/.test(next));
  }
}

/** Returns the unit of the small letter, for the hash of a word. */
function small(unit: number): number {
  return unit < 128 ? unit | SMALL : unit;
}
