import { meaningfulLines } from './lines.js';
import {
  CALENDAR,
  CODE,
  ERROR,
  EXIT,
  isErrorClass,
  isName,
  kindOfHash,
  LITERAL,
  METHOD,
  PLAIN,
  PRIME_HIGH,
  PRIME_LOW,
  REASON,
  REPORTS,
  SEED_HIGH,
  SEED_LOW,
  SPEAKS,
  UNIT,
} from './words.js';

/**
 * How much of a message is read, and how many tokens. Fixed, not options: they are part of what a fingerprint means,
 * which is the same everywhere.
 */
export const MAX_CHARACTERS = 4_096;
export const MAX_TOKENS = 128;
/** Longer runs without a space are data, not words. */
const MAX_WORD = 64;

/** A word or variable stretch of the message. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly variable: boolean;
  /** A variable in parentheses of its own, shown but not counted: `403 bytes (1.16 KB) sent` reads as `403 bytes sent`. */
  silent: boolean;
  /** The stretch of lines it was found in. */
  readonly part: number;
}

const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const WIDE = 8;
/** Joins what stands on both its sides into one token. */
const JOINER = 16;
/** A joiner that may make a name: `.` `/` `\` `@`. */
const NAMING = 32;
const SPACE = 64;
const LETTER = UPPER | LOWER | WIDE;
const INSIDE = DIGIT | LETTER;

/** Flags per ASCII character; 0 is a delimiter. */
const FLAGS = /* @__PURE__ */ flagTable();

function flagsOf(unit: number): number {
  if (unit < 128) return FLAGS[unit] ?? 0;
  if (unit < 0xc0) return unit === 0xa0 ? SPACE : 0;
  if (unit < 0x2e80) return unit >= 0x2000 && unit < 0x2070 ? 0 : LOWER;
  // Scripts written without spaces: digits between their signs are tokens of their own.
  return (unit >= 0x3000 && unit < 0x3040) || (unit > 0xff00 && unit < 0xff21) ? 0 : WIDE;
}

function flagTable(): Uint8Array {
  const table = new Uint8Array(128);
  table.fill(SPACE, 0, 33);
  table[127] = SPACE;
  table.fill(DIGIT, 48, 58);
  table.fill(UPPER, 65, 91);
  table.fill(LOWER, 97, 123);
  table[95] = LOWER;
  for (const sign of '-#$%+~') table[sign.charCodeAt(0)] = JOINER;
  for (const sign of './\\@') table[sign.charCodeAt(0)] = JOINER | NAMING;
  return table;
}

/**
 * Reads a message once, character by character, and hashes its constant words in order with every variable stretch as
 * one mark. What is variable is decided per whole token, from its characters and the word before it.
 */
export class SignatureReader {
  high = 0;
  low = 0;
  /** Words and variable stretches counted. */
  tokens = 0;
  /** Only when asked for: reading without it allocates nothing. */
  spans: Span[] | undefined;
  /** Where the parts that were read start and end. */
  parts: readonly number[] = [];

  #words = 0;
  #part = 0;
  #afterVariable = false;
  /** Kind of the word just before, `PLAIN` after a variable. */
  #previous = PLAIN;
  /** `=` or `:` stands between the last token and here. */
  #assigned = false;
  /** A process exits; the next number says how. */
  #exits = false;
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
    if (typeof message !== 'string') {
      this.parts = [0, 0];
      return;
    }
    const end = Math.min(message.length, MAX_CHARACTERS);
    const lines = message.indexOf('\n') < 0 ? undefined : meaningfulLines(message, MAX_CHARACTERS);
    if (lines === undefined) {
      if (withSpans) this.parts = [0, end];
      this.#readRange(message, 0, end);
      return;
    }
    this.parts = lines.text;
    this.#readParts(message, lines.text);
    // A class name alone says too little: then the place it came from tells errors apart, without its line number.
    if (this.#words <= 1 && lines.frame.length > 0) {
      this.parts = [...lines.text, ...lines.frame];
      this.#readParts(message, lines.frame);
    }
  }

  #readParts(message: string, parts: readonly number[]): void {
    for (let index = 0; index + 1 < parts.length; index += 2) {
      this.#startPart();
      this.#readRange(message, parts[index] ?? 0, parts[index + 1] ?? 0);
      this.#part++;
    }
  }

  #startPart(): void {
    this.#afterVariable = false;
    this.#previous = PLAIN;
    this.#assigned = false;
    this.#exits = false;
    this.#openTokens = -1;
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

  /** Reads one token starting at `start`, returns where it ends. */
  #token(text: string, start: number, to: number, firstFlags: number): number {
    if ((firstFlags & JOINER) !== 0) return this.#leadingJoiner(text, start, to);
    let high = SEED_HIGH;
    let low = SEED_LOW;
    let seen = 0;
    let index = start;
    while (index < to) {
      const unit = text.charCodeAt(index);
      const flags = unit < 128 ? (FLAGS[unit] ?? 0) : flagsOf(unit);
      if ((flags & INSIDE) === 0) {
        // A joiner, or an apostrophe as in "can't", belongs to the token if the token goes on behind it.
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
      if (this.#isConstantWithDigits(text, start, index, to, seen)) this.#constant(start, index, high, low, ERROR);
      else {
        this.#variable(start, index);
        if (text.startsWith('HTTP/', start)) this.#previous = CODE;
      }
      return index;
    }
    if (index - start > MAX_WORD || ((seen & NAMING) !== 0 && isName(text, start, index))) {
      if ((seen & UPPER) === 0 || !isErrorClass(text, start, index)) {
        this.#variable(start, index);
        return index;
      }
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
    return index;
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
      // Line ends and tabs of text that was escaped on its way here.
      if (next === 110 || next === 114 || next === 116) return start + 2;
    }
    if (unit === 64 && (flagsOf(next) & LETTER) !== 0) return this.#path(text, start, start + 1, to);
    return start + 1;
  }

  /** A path, URL or address: variable to its end. */
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
    this.#variable(start, index);
    return index;
  }

  #delimiter(text: string, index: number, to: number, unit: number, from: number): number {
    switch (unit) {
      case 61: {
        this.#assigned = true;
        const before = index > from ? flagsOf(text.charCodeAt(index - 1)) : SPACE;
        const after = index + 1 < to ? text.charCodeAt(index + 1) : 32;
        // `ruser= rhost=...`: the value is there, it is empty.
        if ((before & INSIDE) !== 0 && (flagsOf(after) === SPACE || after === 44 || after === 59 || after === 41)) {
          this.#variable(index + 1, index + 1);
        }
        return index + 1;
      }
      case 58:
        this.#assigned = true;
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

  /** Whether quoted text says what happened (or names a field), as opposed to being a value. */
  #isSpoken(text: string, start: number, end: number, after: number, to: number): boolean {
    const key = text.charCodeAt(after) === 58 && after < to;
    if (key || (this.#assigned && (this.#previous === SPEAKS || this.#previous === CODE || this.#previous === ERROR)))
      return true;
    let seen = 0;
    let spaces = 0;
    for (let index = start; index < end; index++) {
      const flags = flagsOf(text.charCodeAt(index));
      if (flags === SPACE) spaces++;
      seen |= flags;
    }
    if (spaces > 0) return !this.#assigned && !isFileName(text, start, end);
    const capitals = (seen & (UPPER | LOWER | DIGIT)) === UPPER && end - start > 1;
    return capitals || ((seen & UPPER) !== 0 && isErrorClass(text, start, end));
  }

  #isConstantWithDigits(text: string, start: number, end: number, to: number, seen: number): boolean {
    if (seen === DIGIT) {
      const digits = end - start;
      if (digits > 6) return false;
      if (this.#exits) return isTellingExit(text, start, end);
      if (this.#previous === CODE) return true;
      if (this.#previous === ERROR && digits > 2) return true;
      return digits === 3 && isHttpError(text, start) && this.#isStatusHere(text, start, end, to);
    }
    if ((seen & UPPER) === 0) return false;
    if (isErrorClass(text, start, end)) return true;
    // TS2345, ORA-00942, P2002 where a code is expected.
    const expected = this.#previous === CODE || this.#previous === ERROR || this.#previous === SPEAKS;
    return expected && end - start <= 10 && (seen & (LOWER | NAMING)) === 0;
  }

  #isStatusHere(text: string, start: number, end: number, to: number): boolean {
    if (this.tokens === 0 || this.#previous === REPORTS) return true;
    if (start > 0 && text.charCodeAt(start - 1) === 62) return true;
    if (start > 1 && text.charCodeAt(start - 1) === 32 && text.charCodeAt(start - 2) === 62) return true;
    if (text.charCodeAt(end) !== 32) return false;
    let high = SEED_HIGH;
    let index = end + 1;
    while (index < to && index < end + 16) {
      const unit = text.charCodeAt(index);
      if ((flagsOf(unit) & LETTER) === 0) break;
      high = Math.imul(high ^ unit, PRIME_HIGH);
      index++;
    }
    return kindOfHash(high) === REASON;
  }

  #constant(start: number, end: number, high: number, low: number, kind: number): void {
    this.spans?.push({ start, end, variable: false, silent: false, part: this.#part });
    this.#afterVariable = false;
    this.#previous = kind;
    this.#assigned = false;
    if (kind === EXIT) this.#exits = true;
    this.#words++;
    this.#mix(high, low);
  }

  #variable(start: number, end: number): void {
    this.spans?.push({ start, end, variable: true, silent: false, part: this.#part });
    this.#previous = PLAIN;
    this.#assigned = false;
    this.#exits = false;
    if (this.#afterVariable) return;
    this.#afterVariable = true;
    this.#mix(1, 1);
  }

  #mix(high: number, low: number): void {
    this.tokens++;
    this.high = Math.imul(this.high ^ high ^ (high >>> 15), 0x85ebca6b) + 0x165667b1;
    this.low = Math.imul(this.low ^ low ^ (low >>> 13), 0xc2b2ae35) + 0x27d4eb2f;
    this.high ^= this.high >>> 16;
    this.low ^= this.low >>> 15;
  }
}

function isFileName(text: string, start: number, end: number): boolean {
  const dot = text.lastIndexOf('.', end - 1);
  return dot > start && isName(text, dot - 1, end);
}

/** Index of the quote that closes the one at `open`, or -1. Apostrophes inside words do not count. */
function closingQuote(text: string, open: number, to: number, quote: number, escaped: boolean): number {
  for (let index = open + 1; index < to; index++) {
    if (text.charCodeAt(index) !== quote) continue;
    if ((text.charCodeAt(index - 1) === 92) !== escaped) continue;
    if (quote === 39 && index + 1 < to && (flagsOf(text.charCodeAt(index + 1)) & LETTER) !== 0) {
      if ((flagsOf(text.charCodeAt(index - 1)) & LETTER) !== 0) continue;
    }
    return index;
  }
  return -1;
}

/** Skips a terminal escape sequence such as a colour. */
function afterEscape(text: string, index: number, to: number): number {
  if (text.charCodeAt(index + 1) !== 91) return index + 1;
  let at = index + 2;
  while (at < to && at < index + 16 && (flagsOf(text.charCodeAt(at)) & LETTER) === 0) at++;
  return at + 1;
}

/**
 * Exit statuses with one meaning everywhere: success, `timeout` giving up, and death by a signal. What a program means
 * by 1 or 2 is its own affair and varies like any other value.
 */
function isTellingExit(text: string, start: number, end: number): boolean {
  const status = Number(text.slice(start, end));
  return status === 0 || status === 124 || (status > 128 && status < 160);
}

function isHttpError(text: string, start: number): boolean {
  const status =
    (text.charCodeAt(start) - 48) * 100 + (text.charCodeAt(start + 1) - 48) * 10 + text.charCodeAt(start + 2) - 48;
  return (status >= 400 && status <= 431) || status === 451 || (status >= 498 && status <= 530) || status === 599;
}

/** The whole signature as 16 hexadecimal digits. */
export function signatureHex(high: number, low: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
