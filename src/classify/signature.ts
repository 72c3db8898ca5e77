import { FRAME, meaningfulLines, PLACES } from './lines.js';
import {
  afterAddress,
  afterTag,
  type Before,
  continuesAfter,
  isConstantWithDigits,
  isEnclosedName,
  isNameOrData,
  isPiece,
  isSpoken,
  isValueWord,
  startsPath,
  startsSegment,
  startsUrl,
} from './token-rules.js';
import {
  afterEscape,
  closingQuote,
  closingSign,
  DIGIT,
  flagsOf,
  INSIDE,
  isQuote,
  JOINER,
  SPACE,
  UPPER,
  unitAt,
  WIDE,
} from './units.js';
import {
  CODE,
  ERROR,
  EXIT,
  isErrorClass,
  kindOfHash,
  PLAIN,
  PRIME_HIGH,
  PRIME_LOW,
  SEED_HIGH,
  SEED_LOW,
  THREW,
} from './words.js';

/**
 * Limits on characters and tokens read per message. Constants, not options: fingerprints depend on them and must be the
 * same everywhere.
 */
export const MAX_CHARACTERS = 4_096;
export const MAX_TOKENS = 128;
/** Lowest unit of a quote outside ASCII. */
const FIRST_WIDE_SIGN = 0xab;

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
  /** Collected only on request: reading without spans allocates nothing. */
  spans: Span[] | undefined;
  /** Number of line ranges read. */
  parts = 0;

  readonly #places = new Int32Array(PLACES);
  #part = 0;
  readonly #before: Before = {
    tokens: 0,
    words: 0,
    afterVariable: false,
    previous: PLAIN,
    assigned: false,
    keyed: false,
    requested: false,
    exitAt: -9,
  };
  /** Flags and hash of the token just read. */
  #seen = 0;
  #tokenHigh = 0;
  #tokenLow = 0;
  #openHigh = 0;
  #openLow = 0;
  #openTokens = -1;
  #openWords = 0;
  #openSpans = 0;
  #openAfterVariable = false;

  read(message: string, withSpans = false): void {
    this.high = 0x5bd1e995;
    this.low = 0x1b873593;
    this.#before.tokens = 0;
    this.spans = withSpans ? [] : undefined;
    this.#before.words = 0;
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
    if (this.#before.words > 1 || frameEnd === 0) return;
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
    const before = this.#before;
    before.afterVariable = false;
    before.previous = PLAIN;
    before.assigned = false;
    before.requested = false;
    before.exitAt = -9;
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
      if (this.#before.tokens >= MAX_TOKENS) return;
    }
  }

  /** Reads one token starting at `start`. Returns its end. */
  #token(text: string, start: number, to: number, firstFlags: number): number {
    if ((firstFlags & JOINER) !== 0) return this.#leadingJoiner(text, start, to);
    const end = this.#hashToken(text, start, to);
    const next = unitAt(text, end, to);
    if (next === 58 && startsUrl(text, start, end, this.#seen)) return this.#path(text, start, end + 1, to);
    if ((this.#seen & DIGIT) !== 0) return this.#tokenWithDigits(text, start, end, to);
    const addressEnd = next === 58 ? afterAddress(text, start, end, to, this.#before) : -1;
    if (addressEnd >= end) return this.#variable(start, addressEnd);
    if (isNameOrData(text, start, end, this.#seen)) return this.#variable(start, end);
    if (startsSegment(text, end, to)) return this.#path(text, start, end, to);
    const kind = kindOfHash(this.#tokenHigh);
    if (isPiece(text, start, end, to, this.#seen, this.#before) || isValueWord(kind, text, end, this.#before)) {
      return this.#variable(start, end);
    }
    const isClass = kind === PLAIN && (this.#seen & UPPER) !== 0 && isErrorClass(text, start, end);
    this.#constant(start, end, isClass ? ERROR : kind);
    return kind === THREW && next === 58 ? this.#variable(end + 1, to) : end;
  }

  /** Finds the end of the token at `start`, and keeps its flags and hash. */
  #hashToken(text: string, start: number, to: number): number {
    let high = SEED_HIGH;
    let low = SEED_LOW;
    let seen = 0;
    let index = start;
    while (index < to) {
      const unit = text.charCodeAt(index);
      const flags = flagsOf(unit);
      if ((flags & INSIDE) === 0) {
        if (!continuesAfter(text, index, to, unit, flags, seen)) break;
      } else if (index > start && ((flags ^ seen) & WIDE) !== 0) break;
      seen |= flags;
      high = Math.imul(high ^ unit, PRIME_HIGH);
      low = Math.imul(low ^ unit, PRIME_LOW);
      index++;
    }
    this.#seen = seen;
    this.#tokenHigh = high;
    this.#tokenLow = low;
    return index;
  }

  #tokenWithDigits(text: string, start: number, end: number, to: number): number {
    if (isConstantWithDigits(text, start, end, to, this.#seen, this.#before)) {
      this.#constant(start, end, isErrorClass(text, start, end) ? ERROR : PLAIN);
      return end;
    }
    const tagEnd = this.#variable(start, afterTag(text, end, to));
    if (!text.startsWith('HTTP/', start)) return tagEnd;
    this.#before.previous = CODE;
    if (text.charCodeAt(end) === 34) this.#before.requested = true;
    return end;
  }

  #leadingJoiner(text: string, start: number, to: number): number {
    const unit = text.charCodeAt(start);
    const next = unitAt(text, start + 1, to);
    if (startsPath(unit, next, text.charCodeAt(start + 2))) return this.#path(text, start, start + 1, to);
    // Escaped line ends and tabs.
    const isEscape = unit === 92 && (next === 110 || next === 114 || next === 116);
    return start + (isEscape ? 2 : 1);
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
    return this.#variable(start, afterTag(text, index, to));
  }

  #delimiter(text: string, index: number, to: number, unit: number, from: number): number {
    switch (unit) {
      case 61:
        return this.#assign(text, index, to, from);
      case 58:
        this.#before.assigned = true;
        this.#before.keyed = index > from && isQuote(text.charCodeAt(index - 1));
        return index + 1;
      case 40:
        this.#openParenthesis();
        return index + 1;
      case 41:
        this.#closeParenthesis();
        return index + 1;
      case 44:
      case 59:
        this.#before.assigned = false;
        return index + 1;
      case 34:
      case 39:
      case 96:
        return this.#quoted(text, index, to, unit, from);
      default:
        return unit < FIRST_WIDE_SIGN ? index + 1 : this.#enclosed(text, index, to, from);
    }
  }

  /** Reads an equals sign, with the empty value after it: `ruser= rhost=...`. */
  #assign(text: string, index: number, to: number, from: number): number {
    this.#before.assigned = true;
    this.#before.keyed = true;
    const before = index > from ? flagsOf(text.charCodeAt(index - 1)) : SPACE;
    const after = unitAt(text, index + 1, to);
    const isEmpty = flagsOf(after) === SPACE || after === 44 || after === 59 || after === 41;
    if ((before & INSIDE) !== 0 && isEmpty) this.#variable(index + 1, index + 1);
    return index + 1;
  }

  #openParenthesis(): void {
    this.#openHigh = this.high;
    this.#openLow = this.low;
    this.#openTokens = this.#before.tokens;
    this.#openWords = this.#before.words;
    this.#openSpans = this.spans?.length ?? 0;
    this.#openAfterVariable = this.#before.afterVariable;
  }

  #closeParenthesis(): void {
    if (this.#openTokens < 0) return;
    if (this.#before.words === this.#openWords) {
      this.high = this.#openHigh;
      this.low = this.#openLow;
      this.#before.tokens = this.#openTokens;
      this.#before.afterVariable = this.#openAfterVariable;
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
    if (isSpoken(text, start, end, close + 1, to, this.#before)) this.#readRange(text, start, end);
    else this.#variable(start, end);
    return close + 1;
  }

  /** Reads a name in quotes or brackets of any script: `«Иван»`, `「张静」`. */
  #enclosed(text: string, index: number, to: number, from: number): number {
    const close = closingSign(text, index, to);
    if (close < 0) return index + 1;
    const start = index + 1;
    // At the beginning it is a label, such as a level.
    const isLabel = index === from && text[index] === '【';
    if (!isLabel && isEnclosedName(text, start, close, to, this.#before)) this.#variable(start, close);
    else this.#readRange(text, start, close);
    return close + 1;
  }

  /** Counts a word by its hash. */
  #constant(start: number, end: number, kind: number): void {
    this.spans?.push({ start, end, variable: false, silent: false, part: this.#part });
    const before = this.#before;
    before.afterVariable = false;
    before.previous = kind;
    before.assigned = false;
    if (kind === EXIT) before.exitAt = before.words;
    before.words++;
    this.#mix(this.#tokenHigh, this.#tokenLow);
  }

  /** Counts a variable part. Returns its end. */
  #variable(start: number, end: number): number {
    this.spans?.push({ start, end, variable: true, silent: false, part: this.#part });
    const before = this.#before;
    before.previous = PLAIN;
    before.assigned = false;
    before.exitAt = -9;
    if (before.afterVariable) return end;
    before.afterVariable = true;
    this.#mix(1, 1);
    return end;
  }

  #mix(high: number, low: number): void {
    this.#before.tokens++;
    // Kept in 32 bits at every step, because larger numbers would be boxed.
    const mixedHigh = (Math.imul(this.high ^ high ^ (high >>> 15), 0x85ebca6b) + 0x165667b1) | 0;
    const mixedLow = (Math.imul(this.low ^ low ^ (low >>> 13), 0xc2b2ae35) + 0x27d4eb2f) | 0;
    this.high = mixedHigh ^ (mixedHigh >>> 16);
    this.low = mixedLow ^ (mixedLow >>> 15);
  }
}
