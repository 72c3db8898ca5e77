import { wordSet } from '../lib/word-set.js';
import { isCode, isHttpError, isReasonNext, isTellingExit } from './codes.js';
import { FRAME, meaningfulLines, PLACES } from './lines.js';
import {
  afterEscape,
  closingQuote,
  DIGIT,
  flagsOf,
  INSIDE,
  isHexadecimal,
  isQuote,
  JOINER,
  LETTER,
  LOWER,
  NAMING,
  SPACE,
  UPPER,
  WIDE,
} from './units.js';
import {
  CALENDAR,
  CODE,
  ERROR,
  EXIT,
  isErrorClass,
  isFileName,
  isName,
  kindOfHash,
  LITERAL,
  METHOD,
  NAMES,
  PLAIN,
  POINTS,
  PRIME_HIGH,
  PRIME_LOW,
  REPORTS,
  SEED_HIGH,
  SEED_LOW,
  SPEAKS,
  THREW,
  UNIT,
} from './words.js';

/**
 * Limits on characters and tokens read per message. Constants, not options: fingerprints depend on them and must be the
 * same everywhere.
 */
export const MAX_CHARACTERS = 4_096;
export const MAX_TOKENS = 128;
/** Longer runs without a space are data, not words. */
const MAX_WORD = 64;

/** Words that may follow the name of a model or image. */
const TAGS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'free beta latest thinking online nitro floor extended instruct chat code preview mini vision stable nightly',
);

/** A word or variable part of the message. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly variable: boolean;
  /** A variable alone in parentheses, shown but not counted: `403 bytes (1.16 KB) sent` reads as `403 bytes sent`. */
  silent: boolean;
  /** Index of the line range that contains it. */
  readonly part: number;
}

/**
 * Reads a message in one pass and hashes its constant words in order. Each variable part counts as one mark. Each token
 * is classified as a whole, from its characters and the word before it.
 */
export class SignatureReader {
  high = 0;
  low = 0;
  /** Number of counted words and variable parts. */
  tokens = 0;
  /** Collected only on request: reading without spans allocates nothing. */
  spans: Span[] | undefined;
  /** Number of line ranges read. */
  parts = 0;

  readonly #places = new Int32Array(PLACES);
  #words = 0;
  #part = 0;
  #afterVariable = false;
  /** Kind of the word just before; `PLAIN` after a variable. */
  #previous = PLAIN;
  /** Whether `=` or `:` separates the last token from here. */
  #assigned = false;
  /** Whether it is a named field: `"error": ...`, `error=...`, not `error: ...`. */
  #keyed = false;
  /** Whether a request line was quoted. A status after it is a measured value, like its size and time. */
  #requested = false;
  /** Word count at the last mention of a process exit. A number soon after is the exit status. */
  #exitAt = -9;
  #openHigh = 0;
  #openLow = 0;
  #openTokens = -1;
  #openWords = 0;
  #openSpans = 0;
  #openAfterVariable = false;

  read(message: string, withSpans = false): void {
    this.high = 0x5bd1e995;
    this.low = 0x1b873593;
    this.tokens = 0;
    this.spans = withSpans ? [] : undefined;
    this.#words = 0;
    this.#part = 0;
    this.#startPart();
    this.parts = 0;
    if (typeof message !== 'string') return;
    const end = Math.min(message.length, MAX_CHARACTERS);
    if (message.indexOf('\n') < 0) {
      this.#places[0] = 0;
      this.#places[1] = end;
      this.parts = 1;
      this.#readRange(message, 0, end);
      return;
    }
    this.parts = meaningfulLines(message, MAX_CHARACTERS, this.#places);
    for (let part = 0; part < this.parts; part++) this.#readPart(message, part);
    // A class name alone carries too little information. Then its source location distinguishes errors, without the
    // line number.
    const frameEnd = this.#places[FRAME + 1] ?? 0;
    if (this.#words > 1 || frameEnd === 0) return;
    this.#places[this.parts * 2] = this.#places[FRAME] ?? 0;
    this.#places[this.parts * 2 + 1] = frameEnd;
    this.#readPart(message, this.parts++);
  }

  startOfPart(part: number): number {
    return this.#places[part * 2] ?? 0;
  }

  endOfPart(part: number): number {
    return this.#places[part * 2 + 1] ?? 0;
  }

  #readPart(message: string, part: number): void {
    this.#part = part;
    this.#startPart();
    this.#readRange(message, this.startOfPart(part), this.endOfPart(part));
  }

  #startPart(): void {
    this.#afterVariable = false;
    this.#previous = PLAIN;
    this.#assigned = false;
    this.#exitAt = -9;
    this.#openTokens = -1;
    this.#requested = false;
  }

  #readRange(text: string, from: number, to: number): void {
    let index = from;
    while (index < to) {
      const unit = text.charCodeAt(index);
      const flags = flagsOf(unit);
      if (flags === SPACE) index = unit === 27 ? afterEscape(text, index, to) : index + 1;
      else if (flags === 0) index = this.#delimiter(text, index, to, unit, from);
      else index = this.#token(text, index, to, flags);
      if (this.tokens >= MAX_TOKENS) return;
    }
  }

  /** Reads one token starting at `start`. Returns its end. */
  #token(text: string, start: number, to: number, firstFlags: number): number {
    if ((firstFlags & JOINER) !== 0) return this.#leadingJoiner(text, start, to);
    let high = SEED_HIGH;
    let low = SEED_LOW;
    let seen = 0;
    let index = start;
    while (index < to) {
      const unit = text.charCodeAt(index);
      const flags = flagsOf(unit);
      if ((flags & INSIDE) === 0) {
        // A joiner, or an apostrophe as in "can't", belongs to the token if the token continues after it.
        if ((flags & JOINER) === 0 && unit !== 39) break;
        const next = index + 1 < to ? flagsOf(text.charCodeAt(index + 1)) : 0;
        if ((next & INSIDE) === 0 || (unit === 39 && ((next & LETTER) === 0 || (seen & LETTER) === 0))) break;
      } else if (index > start && ((flags ^ seen) & WIDE) !== 0) break;
      seen |= flags;
      high = Math.imul(high ^ unit, PRIME_HIGH);
      low = Math.imul(low ^ unit, PRIME_LOW);
      index++;
    }
    if (index < to && text.charCodeAt(index) === 58 && (seen & ~LETTER) === 0) {
      const url = text.startsWith('//', index + 1);
      if (url || (index === start + 1 && text.charCodeAt(index + 1) === 92)) {
        return this.#path(text, start, index + 1, to);
      }
    }
    if ((seen & DIGIT) !== 0) {
      if (this.#isConstantWithDigits(text, start, index, to, seen)) {
        this.#constant(start, index, high, low, isErrorClass(text, start, index) ? ERROR : PLAIN);
      } else {
        const end = this.#afterTag(text, index, to);
        this.#variable(start, end);
        if (text.charCodeAt(start) !== 72 || !text.startsWith('HTTP/', start)) return end;
        this.#previous = CODE;
        if (text.charCodeAt(index) === 34) this.#requested = true;
      }
      return index;
    }
    if (index < to && text.charCodeAt(index) === 58) {
      const end = this.#afterAddress(text, start, index, to);
      if (end >= index) {
        this.#variable(start, end);
        return end;
      }
    }
    if (index - start > MAX_WORD || ((seen & NAMING) !== 0 && isName(text, start, index))) {
      if ((seen & UPPER) === 0 || !isErrorClass(text, start, index)) {
        this.#variable(start, index);
        return index;
      }
    }
    const next = index < to ? text.charCodeAt(index) : 32;
    if ((next === 47 || next === 92) && index + 1 < to && text.charCodeAt(index + 1) > 32) {
      return this.#path(text, start, index, to);
    }
    const before = start > 0 ? text.charCodeAt(start - 1) : 32;
    if (
      (next !== 32 || before !== 32 || text.charCodeAt(index + 1) === 91) &&
      this.#isPiece(text, start, index, to, before, next, seen)
    ) {
      this.#variable(start, index);
      return index;
    }
    const kind = kindOfHash(high);
    if (
      (kind === UNIT && this.#afterVariable) ||
      kind === CALENDAR ||
      (kind === LITERAL && this.#assigned) ||
      (kind === METHOD && text.startsWith('http', index + 1))
    ) {
      this.#variable(start, index);
      return index;
    }
    this.#constant(
      start,
      index,
      high,
      low,
      kind === PLAIN && (seen & UPPER) !== 0 && isErrorClass(text, start, index) ? ERROR : kind,
    );
    if (kind !== THREW || next !== 58) return index;
    this.#variable(index + 1, to);
    return to;
  }

  /**
   * Returns the index after the port in `cache:443:`, or after the name of a missing command: `rg: command not found`.
   */
  #afterAddress(text: string, start: number, colon: number, to: number): number {
    if (text.startsWith(': command not found', colon)) return colon;
    // `/bin/sh: 1: rg: not found`
    if (text.startsWith(': not found', colon) && (flagsOf(text.charCodeAt(start - 3)) & DIGIT) !== 0) return colon;
    let end = colon + 1;
    while (end < to && end < colon + 7 && (flagsOf(text.charCodeAt(end)) & DIGIT) !== 0) end++;
    const digits = end - colon - 1;
    const after = end < to ? text.charCodeAt(end) : 32;
    const isLast = end + 1 >= to || flagsOf(text.charCodeAt(end + 1)) === SPACE;
    const closes = (after === 58 && isLast) || (this.#previous === POINTS && (flagsOf(after) & INSIDE) === 0);
    return digits < 2 || digits > 5 || !closes || start === colon ? -1 : end;
  }

  /** Returns the index after the tag of a model or image: `qwen2.5:free`, `llama3:70b`. */
  #afterTag(text: string, end: number, to: number): number {
    if (text.charCodeAt(end) !== 58) return end;
    let at = end + 1;
    let digits = 0;
    while (at < to && (flagsOf(text.charCodeAt(at)) & INSIDE) !== 0 && at < end + 16) {
      digits |= flagsOf(text.charCodeAt(at)) & DIGIT;
      at++;
    }
    return at > end + 1 && (digits !== 0 || TAGS.has(text.slice(end + 1, at))) ? at : end;
  }

  /** Returns whether a word is part of a value, judging by its adjacent characters. */
  #isPiece(text: string, start: number, end: number, to: number, before: number, next: number, seen: number): boolean {
    const goesOn = end + 1 < to && (flagsOf(text.charCodeAt(end + 1)) & INSIDE) !== 0;
    // An object printed as a value: `token=Token{...}`.
    if (next === 123 && this.#assigned) return !isErrorClass(text, start, end);
    // A list without spaces: `yarn,hdfs`, `0|android|17`. But the fields of `mode=fast,retry=on` are named. Also the
    // user in an access log: `10.0.0.1 - bob [21/Nov/2026...] "GET /...`.
    if (text.startsWith('- ', start - 2) && text.startsWith(' [', end)) return true;
    const listed = before === 44 || before === 124 || ((next === 44 || next === 124) && goesOn);
    if (listed && !(this.#assigned && this.#keyed) && (seen & UPPER) === 0 && next !== 61 && next !== 58) return true;
    // Hexadecimal groups in addresses: `00:ae:fb`.
    const inAddress = (before === 58 && this.#afterVariable) || (next === 58 && goesOn);
    return inAddress && (end - start === 2 || end - start === 4) && isHexadecimal(text, start, end);
  }

  #leadingJoiner(text: string, start: number, to: number): number {
    const unit = text.charCodeAt(start);
    const next = start + 1 < to ? text.charCodeAt(start + 1) : 32;
    if (unit === 47)
      return (flagsOf(next) & (INSIDE | JOINER)) !== 0 ? this.#path(text, start, start + 1, to) : start + 1;
    if (unit === 126 && next === 47) return this.#path(text, start, start + 1, to);
    if (unit === 46 && (next === 47 || (next === 46 && text.charCodeAt(start + 2) === 47))) {
      return this.#path(text, start, start + 1, to);
    }
    if (unit === 92) {
      if (next === 92) return this.#path(text, start, start + 1, to);
      // Escaped line ends and tabs.
      if (next === 110 || next === 114 || next === 116) return start + 2;
    }
    if (unit === 64 && (flagsOf(next) & LETTER) !== 0) return this.#path(text, start, start + 1, to);
    return start + 1;
  }

  /** Reads a path, URL or address, all of which is variable. */
  #path(text: string, start: number, from: number, to: number): number {
    let index = from;
    while (index < to) {
      const unit = text.charCodeAt(index);
      const flags = flagsOf(unit);
      if (flags === SPACE) break;
      if (flags === 0 && unit !== 61 && unit !== 63 && unit !== 38 && unit !== 42 && unit !== 33) {
        const next = index + 1 < to ? text.charCodeAt(index + 1) : 32;
        if (unit !== 58 || (next !== 47 && (flagsOf(next) & DIGIT) === 0)) break;
      }
      index++;
    }
    index = this.#afterTag(text, index, to);
    this.#variable(start, index);
    return index;
  }

  #delimiter(text: string, index: number, to: number, unit: number, from: number): number {
    switch (unit) {
      case 61: {
        this.#assigned = true;
        this.#keyed = true;
        const before = index > from ? flagsOf(text.charCodeAt(index - 1)) : SPACE;
        const after = index + 1 < to ? text.charCodeAt(index + 1) : 32;
        // An empty value: `ruser= rhost=...`.
        if ((before & INSIDE) !== 0 && (flagsOf(after) === SPACE || after === 44 || after === 59 || after === 41)) {
          this.#variable(index + 1, index + 1);
        }
        return index + 1;
      }
      case 58:
        this.#assigned = true;
        this.#keyed = index > from && isQuote(text.charCodeAt(index - 1));
        return index + 1;
      case 40:
        this.#openHigh = this.high;
        this.#openLow = this.low;
        this.#openTokens = this.tokens;
        this.#openWords = this.#words;
        this.#openSpans = this.spans?.length ?? 0;
        this.#openAfterVariable = this.#afterVariable;
        return index + 1;
      case 41:
        this.#closeParenthesis();
        return index + 1;
      case 44:
      case 59:
        this.#assigned = false;
        return index + 1;
      case 34:
      case 39:
      case 96:
        return this.#quoted(text, index, to, unit, from);
      default:
        return index + 1;
    }
  }

  #closeParenthesis(): void {
    if (this.#openTokens < 0) return;
    if (this.#words === this.#openWords) {
      this.high = this.#openHigh;
      this.low = this.#openLow;
      this.tokens = this.#openTokens;
      this.#afterVariable = this.#openAfterVariable;
      if (this.spans) for (const span of this.spans.slice(this.#openSpans)) span.silent = true;
    }
    this.#openTokens = -1;
  }

  #quoted(text: string, index: number, to: number, quote: number, from: number): number {
    const before = index > from ? text.charCodeAt(index - 1) : 32;
    if ((flagsOf(before) & INSIDE) !== 0) return index + 1;
    const escaped = before === 92;
    const close = closingQuote(text, index, to, quote, escaped);
    if (close < 0) return index + 1;
    const start = index + 1;
    const end = escaped ? close - 1 : close;
    if (this.#isSpoken(text, start, end, close + 1, to)) this.#readRange(text, start, end);
    else this.#variable(start, end);
    return close + 1;
  }

  /** Returns whether quoted text states the error (or names a field), as opposed to being a value. */
  #isSpoken(text: string, start: number, end: number, after: number, to: number): boolean {
    const next = after < to ? text.charCodeAt(after) : 32;
    if (next === 58) return true;
    if (this.#assigned) {
      if (this.#previous === SPEAKS || this.#previous === CODE) return true;
      if (this.#previous === ERROR && this.#keyed) return true;
    }
    // A truncated quotation is an extract: `"<!DOCTYPE "... is not valid JSON`.
    if (next === 0x2026 || (next === 46 && text.startsWith('...', after))) return false;
    let seen = 0;
    let spaces = 0;
    for (let index = start; index < end; index++) {
      const flags = flagsOf(text.charCodeAt(index));
      if (flags === SPACE) spaces++;
      seen |= flags;
    }
    if (spaces > 0 && this.#previous === NAMES) return false;
    if (spaces > 0) return this.#previous === ERROR || (!this.#assigned && !isFileName(text, start, end));
    if (this.#assigned) return (seen & UPPER) !== 0 && isErrorClass(text, start, end);
    const capitals = (seen & (UPPER | LOWER | DIGIT)) === UPPER && end - start > 1;
    return capitals || ((seen & UPPER) !== 0 && isErrorClass(text, start, end));
  }

  #isConstantWithDigits(text: string, start: number, end: number, to: number, seen: number): boolean {
    if (seen === DIGIT) {
      const digits = end - start;
      if (digits > 6) return false;
      if (this.#words - this.#exitAt <= 3) return isTellingExit(text, start, end);
      if (this.#requested) return false;
      if (this.#previous === CODE) return isCode(text, start, end);
      // Negative codes are protocol errors: `error -32603`.
      if (this.#previous === ERROR && start > 0 && text.charCodeAt(start - 1) === 45) return true;
      return digits === 3 && isHttpError(text, start) && this.#isStatusHere(text, start, end, to);
    }
    if ((seen & UPPER) === 0) return false;
    if (isErrorClass(text, start, end)) return true;
    // TS2345, ORA-00942, P2002 where a code is expected.
    const expected = this.#previous === CODE || this.#previous === ERROR || this.#previous === SPEAKS;
    return expected && end - start <= 10 && (seen & (LOWER | NAMING)) === 0;
  }

  #isStatusHere(text: string, start: number, end: number, to: number): boolean {
    if (this.#previous === REPORTS || this.#previous === ERROR) return true;
    if (this.tokens === 0 && (end === to || flagsOf(text.charCodeAt(end)) === 0)) return true;
    if (start > 0 && text.charCodeAt(start - 1) === 62) return true;
    if (isReasonNext(text, end, to)) return true;
    // `POST /v1/answers -> 500 {...}`, but not `compacted: 900 -> 500 tokens`.
    const arrow = start > 1 && text.charCodeAt(start - 1) === 32 && text.charCodeAt(start - 2) === 62;
    return arrow && (flagsOf(text.charCodeAt(end + 1)) & LETTER) === 0;
  }

  #constant(start: number, end: number, high: number, low: number, kind: number): void {
    this.spans?.push({ start, end, variable: false, silent: false, part: this.#part });
    this.#afterVariable = false;
    this.#previous = kind;
    this.#assigned = false;
    if (kind === EXIT) this.#exitAt = this.#words;
    this.#words++;
    this.#mix(high, low);
  }

  #variable(start: number, end: number): void {
    this.spans?.push({ start, end, variable: true, silent: false, part: this.#part });
    this.#previous = PLAIN;
    this.#assigned = false;
    this.#exitAt = -9;
    if (this.#afterVariable) return;
    this.#afterVariable = true;
    this.#mix(1, 1);
  }

  #mix(high: number, low: number): void {
    this.tokens++;
    // Kept in 32 bits at every step, because larger numbers would be boxed.
    const mixedHigh = (Math.imul(this.high ^ high ^ (high >>> 15), 0x85ebca6b) + 0x165667b1) | 0;
    const mixedLow = (Math.imul(this.low ^ low ^ (low >>> 13), 0xc2b2ae35) + 0x27d4eb2f) | 0;
    this.high = mixedHigh ^ (mixedHigh >>> 16);
    this.low = mixedLow ^ (mixedLow >>> 15);
  }
}

/**
 * Returns the whole signature as 16 hexadecimal digits. Built digit by digit, because `toString(16)` takes ten times as
 * long.
 */
export function signatureHex(high: number, low: number): string {
  return eightDigits(high) + eightDigits(low);
}

function eightDigits(half: number): string {
  return String.fromCharCode(
    digit(half >>> 28),
    digit(half >>> 24),
    digit(half >>> 20),
    digit(half >>> 16),
    digit(half >>> 12),
    digit(half >>> 8),
    digit(half >>> 4),
    digit(half),
  );
}

function digit(bits: number): number {
  const value = bits & 15;
  return value + (value < 10 ? 48 : 87);
}
