import { kindOf, SIGN } from './characters.js';

/** Initial value and multiplier of the word hash (FNV-1a). */
export const HASH_START = 0x2f0b4c47;
export const HASH_PRIME = 0x01000193;

/** Separators of words, as numbers besides symbols. */
export const OR = -1;
export const NEXT = -2;
export const COMMA = -3;
export const LINE = -4;

const STAR = 42;
const S = 115;
const NUMBER = /^#[1-9]/;

/**
 * Words of a text as symbols, numbered from 1 in the order of their first use. A word is found by its hash alone, so
 * reading texts creates no strings. About one in two million unknown words matches a known one. This is no security
 * risk: a crafted text could just as well contain the known words.
 */
export class Lexicon {
  /** The text as symbols and separators. */
  readonly code: Int32Array;
  /** Start of each line in the code, and the end of the last line. */
  readonly lines = [0];
  /** Number of symbols, including 0. */
  size = 1;
  /** Hashes and symbols by slot. Few slots are taken, because most look-ups find nothing. */
  readonly #keys: Int32Array;
  readonly #symbols: Uint16Array;
  readonly #text: string;
  /** Start and end of the first use of each symbol in the text. */
  readonly #starts = [0];
  readonly #ends = [0];
  /** First two letters with which a stem begins: most words begin with none. */
  readonly #stemStarts = new Uint8Array(1_024);
  /** Other reading of each symbol, -1 until it is needed. */
  readonly #readings: Int32Array;

  /** Reads a text in one loop, which is compiled while it runs. A call for each word would take four times as long. */
  constructor(text: string) {
    const slots = 2 ** Math.max(10, Math.ceil(Math.log2(text.length / 4 + 1)));
    this.#keys = new Int32Array(slots);
    this.#symbols = new Uint16Array(slots);
    this.#text = `${text}\n`;
    const source = this.#text;
    const separators = separatorTable();
    const code = new Int32Array(2 * source.length);
    let count = 0;
    for (let at = 0; at < source.length; ) {
      const start = at;
      let unit = source.charCodeAt(at++);
      const separator = separators[unit] ?? 0;
      if (separator < 0) {
        code[count++] = separator;
        this.#noteLine(separator, count);
        continue;
      }
      let hash = Math.imul(HASH_START ^ unit, HASH_PRIME);
      if (!isSign(unit)) {
        for (unit = source.charCodeAt(at); unit < 128 ? separators[unit] === 0 : !isSign(unit); ) {
          hash = Math.imul(hash ^ unit, HASH_PRIME);
          unit = source.charCodeAt(++at);
        }
      }
      code[count++] = this.#add(hash, start, at);
    }
    this.code = code.subarray(0, count);
    this.#readings = new Int32Array(this.size).fill(-1);
  }

  /** Returns the symbol of the word with this hash, or 0. */
  symbolOf(hash: number): number {
    return this.#symbols[this.#slotOf(hash)] ?? 0;
  }

  /** Returns the symbol of exactly this word, or 0. */
  find(word: string): number {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = after(hash, word.charCodeAt(at));
    return this.symbolOf(hash);
  }

  /** Returns the symbol of a word, else that of its singular or longest stem, or 0. */
  findSimilar(word: string): number {
    return this.find(word) || this.#singularOrStem(word, word.length);
  }

  /** Returns the other reading of a symbol: its singular, or the next shorter stem, or 0. */
  otherReading(symbol: number): number {
    const known = this.#readings[symbol] ?? 0;
    if (known >= 0) return known;
    const word = this.#text.slice(this.#starts[symbol], this.#ends[symbol]);
    const reading = this.#singularOrStem(word, word.endsWith('*') ? word.length - 2 : word.length);
    this.#readings[symbol] = NUMBER.test(word) ? this.find('#') : reading;
    return this.#readings[symbol] ?? 0;
  }

  #singularOrStem(word: string, maxLength: number): number {
    return (isPlural(word) && this.find(word.slice(0, -1))) || this.#longestStem(word, maxLength);
  }

  #longestStem(word: string, maxLength: number): number {
    if (this.#stemStarts[startOf(word, 0)] === 0) return 0;
    let longest = 0;
    let hash = HASH_START;
    for (let at = 0; at < maxLength; at++) {
      hash = after(hash, word.charCodeAt(at));
      longest = this.symbolOf(after(hash, STAR)) || longest;
    }
    return longest;
  }

  #noteLine(separator: number, count: number): void {
    if (separator === LINE) this.lines.push(count);
  }

  /** Returns the symbol of a word of the text, creating it if missing. */
  #add(hash: number, start: number, end: number): number {
    const slot = this.#slotOf(hash);
    if (this.#symbols[slot] === 0) {
      this.#keys[slot] = hash;
      this.#symbols[slot] = this.size++;
      this.#starts.push(start);
      if (this.#text.charCodeAt(end - 1) === STAR) this.#stemStarts[startOf(this.#text, start)] = 1;
      this.#ends.push(end);
    }
    return this.#symbols[slot] ?? 0;
  }

  #slotOf(hash: number): number {
    const last = this.#keys.length - 1;
    let slot = (hash ^ (hash >>> 15)) & last;
    while (this.#symbols[slot] !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & last;
    return slot;
  }
}

/** Returns the hash of a word with one more unit. */
function after(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** Returns a number for the first two letters of a word. */
function startOf(text: string, start: number): number {
  return (text.charCodeAt(start) & 31) * 32 + (text.charCodeAt(start + 1) & 31);
}

/** Returns whether a word of more than three letters ends in a plural `s`. */
function isPlural(word: string): boolean {
  const before = word.charCodeAt(word.length - 2);
  return word.length > 3 && word.charCodeAt(word.length - 1) === S && before > 96 && before < 123 && before !== S;
}

/** Separators by unit; 0 for all others. */
function separatorTable(): Int8Array {
  const table = new Int8Array(128);
  table[32] = NEXT;
  table[124] = OR;
  table[44] = COMMA;
  table[10] = LINE;
  return table;
}

/** Returns whether a unit is a word of its own: a Chinese, Japanese or Korean character. */
function isSign(unit: number): boolean {
  return unit > 127 && kindOf(unit) === SIGN;
}
