/** What a UTF-16 unit is to the word cutter. */
export const SEPARATOR = 0;
/** A word by itself: Chinese, Japanese, Korean. */
export const SIGN = 1;
/** Joins the parts of a path, a host, an id or a dotted name. */
export const JOINER = 2;
export const LOWER = 3;
export const UPPER = 4;
export const DIGIT = 5;

/** The kind of an ASCII unit. */
export function asciiKind(unit: number): number {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/\d/.test(char)) return DIGIT;
  return "#$%&'*+-./:=?@\\_~".includes(char) ? JOINER : SEPARATOR;
}

/** The kind of any other unit, and of what lies past the end of a text. */
export function kindBeyondAscii(unit: number): number {
  if (unit < 0xc0) return SEPARATOR;
  if (unit >= 0x1100 && unit < 0x1200) return SIGN; // Hangul, taken apart by `fold`
  if (unit < 0x2000) return LOWER;
  return unit > 0x3040 && unit < 0xac00 ? SIGN : SEPARATOR; // else punctuation, arrows, halves of surrogate pairs
}

/**
 * One spelling for a text: accents dropped, full-width letters made plain, Hangul taken apart, `\u5f53` read, colour
 * codes removed. Plain ASCII comes back as it is.
 */
export function fold(text: string): string {
  let plain = text;
  if (plain.includes('\u001b')) plain = plain.replace(COLOUR, '');
  if (plain.includes('\\u')) plain = plain.replace(ESCAPE, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!BEYOND_ASCII.test(plain)) return plain;
  return plain
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[\u2018\u2019]/g, "'");
}

const BEYOND_ASCII = /[^\0-\u007f]/;
const ESCAPE = /\\u([\da-f]{4})/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what it looks for
const COLOUR = /\u001b\[[\d;?]{0,20}[A-Za-z]/g;
