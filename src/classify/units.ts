/** Flags of characters, for a single pass over a text. The flags of a token are the union of those of its units. */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
export const WIDE = 8;
/** Joins the characters on both sides into one token. */
export const JOINER = 16;
/** A joiner that may form a name: `.` `/` `\` `@`. */
export const NAMING = 32;
export const SPACE = 64;
export const LETTER = UPPER | LOWER | WIDE;
export const INSIDE = DIGIT | LETTER;

/** Flags per UTF-16 unit; 0 is a delimiter. One table for all units keeps branches out of the inner loop. */
const FLAGS = /* @__PURE__ */ flagTable();

function flagTable(): Uint8Array {
  const table = new Uint8Array(65_536);
  table.fill(SPACE, 0, 33);
  table[127] = SPACE;
  table.fill(DIGIT, 48, 58);
  table.fill(UPPER, 65, 91);
  table.fill(LOWER, 97, 123);
  table[95] = LOWER;
  for (const sign of '-#$%+~') table[sign.charCodeAt(0)] = JOINER;
  for (const sign of './\\@') table[sign.charCodeAt(0)] = JOINER | NAMING;
  table[0xa0] = SPACE;
  table.fill(LOWER, 0xc0, 0x2e80);
  // Typographic quotes, dashes, ellipsis.
  table.fill(0, 0x2000, 0x2070);
  // Scripts written without spaces: digits between their characters are separate tokens.
  table.fill(WIDE, 0x2e80);
  table.fill(0, 0x3000, 0x3040);
  table.fill(0, 0xff00, 0xff21);
  return table;
}

/** Returns the flags of a unit; 0 beyond the text (NaN). */
export function flagsOf(unit: number): number {
  return FLAGS[unit] ?? 0;
}

/** Returns the unit at an index; a space outside the text, which ends at `to`. */
export function unitAt(text: string, index: number, to: number): number {
  return index >= 0 && index < to ? text.charCodeAt(index) : 32;
}

export function isHexadecimal(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index) | 32;
    if (unit < 97 || unit > 102) return false;
  }
  return true;
}

/** Skips a terminal escape sequence, such as a colour. */
export function afterEscape(text: string, index: number, to: number): number {
  if (text.charCodeAt(index + 1) !== 91) return index + 1;
  let at = index + 2;
  while (at < to && at < index + 16 && (flagsOf(text.charCodeAt(at)) & LETTER) === 0) at++;
  return at + 1;
}

export function isQuote(unit: number): boolean {
  return unit === 34 || unit === 39;
}

/** Closing signs of quotes and brackets other than those of ASCII, by the opening sign. */
const CLOSING: Readonly<Record<string, string>> = {
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
  '“': '”“',
  '”': '”',
  '„': '“”',
  '‘': '’',
  '‚': '‘’',
  '「': '」',
  '『': '』',
  '【': '】',
  '《': '》',
  '〈': '〉',
};

/** Returns the index of the sign that closes the quote or bracket at `open`, or -1 if `open` is none. */
export function closingSign(text: string, open: number, to: number): number {
  const closing = CLOSING[text[open] ?? ''];
  if (closing === undefined) return -1;
  const end = Math.min(to, open + MAX_QUOTED);
  for (let index = open + 1; index < end; index++) {
    if (!closing.includes(text[index] ?? '')) continue;
    // The closing single quote is also an apostrophe.
    if (text[index] === '’' && index + 1 < to && (flagsOf(text.charCodeAt(index + 1)) & LETTER) !== 0) continue;
    return index;
  }
  return -1;
}

/** Limit on the length of a quoted name, so that a sign without its partner costs little. */
const MAX_QUOTED = 256;

/** Returns the index of the quote that closes the one at `open`, or -1. Ignores apostrophes inside words. */
export function closingQuote(text: string, open: number, to: number, quote: number, escaped: boolean): number {
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
