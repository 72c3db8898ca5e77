/** Kinds of UTF-16 units, as the tokenizer sees them. */
export const SEPARATOR = 0;
/** A character that is a word of its own: Chinese, Japanese, Korean. */
export const SIGN = 1;
/** Joins the parts of a path, a host, an id or a dotted name. */
export const JOINER = 2;
export const LOWER = 3;
export const UPPER = 4;
export const DIGIT = 5;

const JOINERS = "#$%&'*+-./:=?@\\_~";

const ASCII = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit > 96 && unit < 123) return LOWER;
  if (unit > 64 && unit < 91) return UPPER;
  if (unit > 47 && unit < 58) return DIGIT;
  return JOINERS.includes(String.fromCharCode(unit)) ? JOINER : SEPARATOR;
});

/** Returns the kind of a unit. Past the end of a text (NaN) it returns SEPARATOR. */
export function kindOf(unit: number): number {
  if (unit < 128) return ASCII[unit] ?? SEPARATOR;
  if (unit >= 0x1100 && unit < 0x1200) return SIGN; // Hangul, decomposed by `fold`
  if (unit > 0x3040 && unit < 0xac00) return SIGN;
  return unit >= 0xc0 && unit < 0x2000 ? LOWER : SEPARATOR; // else punctuation, arrows, surrogate halves
}

/**
 * Normalises a text: drops accents and colour codes, replaces full-width letters, decomposes Hangul, decodes `\u5f53`.
 * Plain ASCII is returned unchanged.
 */
export function fold(text: string, maxLength = MAX_FOLDED): string {
  if (!UNUSUAL.test(text)) return text;
  const plain = text.replace(COLOUR, '').replace(ESCAPE, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!BEYOND_ASCII.test(plain)) return plain;
  return plain
    .normalize('NFKD')
    .slice(0, maxLength)
    .replace(/\p{Mark}+/gu, '')
    .replace(/[\u2018\u2019]/g, "'");
}

/** One character can expand to 18, but ordinary text of 6,000 characters stays below this. */
const MAX_FOLDED = 20_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what it looks for
const UNUSUAL = /[^\0-\x1a\x1c-\x7f]|\\u/;
const BEYOND_ASCII = /[^\0-\x7f]/;
const ESCAPE = /\\u([\da-f]{4})/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what it looks for
const COLOUR = /\u001b\[[\d;?]{0,20}[A-Za-z]/g;
