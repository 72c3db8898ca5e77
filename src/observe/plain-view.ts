/**
 * Text as a person or a program would read it. Terminal sequences and invisible characters are removed. Escapes and
 * look-alike letters are replaced by the characters they mean. Positions map back to the original text.
 */
export interface PlainView {
  readonly text: string;
  /**
   * Original text with blanks in place of invisible characters, position by position. In `text` they are removed:
   * inside of a secret that makes it whole, but before a secret it would join it to the previous word.
   */
  readonly blanked: string;
  /** Returns the original position of a character; for an end, where that part ends. */
  toOriginal(position: number): number;
}

/** Start of a terminal sequence: the control character itself, or one of the ways to write it. */
const ESCAPE = String.raw`(?:\x1b|\u241b|\^\[|\\{1,4}(?:u001[bB]|x1[bB]|u\{1[bB]\}|033|e(?=\[))|%(?:25)?1[bB]|&#(?:27|x1[bB]);)`;
/** Colours, moves and erasures; titles and links, of which only the frame is removed; sequences of two characters. */
const SEQUENCE = String.raw`${ESCAPE}(?:(?:\[|%(?:25)?5[bB])[0-9:;<=>?]{0,40}[ -/]{0,4}[@-~]|\][0-9]{1,4};|[@-Z\\^_=>78])|\x9b[0-9:;<=>?]{0,40}[@-~]|\x1b`;
/** Colours whose first character was lost. */
const BARE_COLOUR = String.raw`\[[0-9]{1,3}(?:;[0-9]{1,3}){0,4}m`;
const UNSEEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]+`;
const ESCAPED_UNSEEN = String.raw`\\{1,4}u(?:200[b-fB-F]|feff|FEFF|00[aA][dD]|2060)`;
const BACKSLASH = String.raw`\\{1,8}(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrt/])`;
const PERCENT = `%(?:25){0,3}[2-7][0-9a-fA-F]|%(?:25){0,3}0[aAdD9]`;
const ENTITY = `&(?:amp;)?(?:quot|apos|lt|gt|amp|equals|colon|#(?:x[0-9a-fA-F]{2}|[0-9]{2,3}));`;
const LOOKALIKE = String.raw`[\uff01-\uff5e\u{1d400}-\u{1d7ff}]`;

const ESCAPES = [`(${BACKSLASH})`, `(${PERCENT})`, `(${ENTITY})`];
/** Much faster than `VEIL`, for ASCII-only texts. */
const ASCII_VEIL = /* @__PURE__ */ new RegExp(
  [`(${SEQUENCE}|${BARE_COLOUR}|${ESCAPED_UNSEEN})`, ...ESCAPES].join('|'),
  'g',
);
const VEIL = /* @__PURE__ */ new RegExp(
  [`(${SEQUENCE}|${BARE_COLOUR}|${ESCAPED_UNSEEN}|${UNSEEN})`, ...ESCAPES, LOOKALIKE].join('|'),
  'gu',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, of which control characters are a part.
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Returns the plain view of a text. The text is unchanged if it contains nothing to remove or decode. */
export function plainView(text: string): PlainView {
  const marks: Mark[] = [];
  let plain = '';
  let past = 0;
  let removed = 0;
  let blank = '';
  for (const match of text.matchAll(BEYOND_ASCII.test(text) ? VEIL : ASCII_VEIL)) {
    const [whole, unseen] = match;
    const meant = unseen === undefined ? meaningOf(match) : '';
    plain += text.slice(past, match.index) + meant;
    blank += text.slice(past, match.index) + (unseen === undefined ? whole : ' '.repeat(whole.length));
    past = match.index + whole.length;
    removed += whole.length - meant.length;
    marks.push({ at: plain.length, removed });
  }
  if (marks.length === 0) return { text, blanked: text, toOriginal: (position) => position };
  return {
    text: plain + text.slice(past),
    blanked: blank + text.slice(past),
    toOriginal: (position) => position + removedBefore(marks, position),
  };
}

/** Offset of positions: from `at` on, this many characters were removed. */
interface Mark {
  readonly at: number;
  readonly removed: number;
}

function removedBefore(marks: readonly Mark[], position: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1]?.removed ?? 0;
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  equals: '=',
  colon: ':',
};
const LETTER_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function meaningOf(match: RegExpExecArray): string {
  const [whole, , backslash, percent, entity] = match;
  if (backslash !== undefined) {
    const code = /[ux]([0-9a-fA-F]{2,4})$/.exec(backslash)?.[1];
    if (code !== undefined) return characterOf(Number.parseInt(code, 16));
    const letter = backslash.slice(-1);
    return LETTER_ESCAPES[letter] ?? letter;
  }
  if (percent !== undefined) return characterOf(Number.parseInt(percent.slice(-2), 16));
  if (entity !== undefined) {
    const [, decimal, hex] = /#(?:([0-9]+)|x([0-9a-fA-F]+));$/.exec(entity) ?? [];
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return NAMED_ENTITIES[/([a-z]{1,10});$/.exec(entity)?.[1] ?? ''] ?? ' ';
  }
  return whole.normalize('NFKC').slice(0, 1) || ' ';
}

/** Returns exactly one unit, so that no escape can make a text longer or introduce another escape. */
function characterOf(code: number): string {
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : code === 10 || code === 13 ? '\n' : ' ';
}
