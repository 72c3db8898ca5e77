import { stripVTControlCharacters } from 'node:util';

/** Maximum length; longer texts are cut first, because only one line is shown. */
const MAX_CHARACTERS = 4_000;

/**
 * Characters that act on a terminal or hide text: control characters, direction marks and overrides, invisible spaces,
 * line separators, tags, and unpaired surrogates.
 */
const UNSAFE =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;
/** More marks than this on one letter overlap the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Texts of one column per character: Latin letters, punctuation, arrows and lines. */
const NARROW = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u257f]*$/;
/** Characters of two columns: East Asian scripts and emoji. */
const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
/** Characters without a column of their own, at the start of a text. */
const NO_COLUMN = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}]+/u;

/**
 * Makes outside text one line that is safe to print: removes escape sequences and shows every unsafe character as `·`.
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text.slice(0, MAX_CHARACTERS))
    .replace(/\s+/g, ' ')
    .replace(UNSAFE, '·')
    .replace(PILED_MARKS, '$1')
    .trim();
}

/** Formats JSON that is also safe to view: unsafe characters are escaped, so it parses to the same value. */
export function plainJson(value: unknown, { indent = 2 }: { readonly indent?: number } = {}): string {
  return JSON.stringify(value, undefined, indent).replace(UNSAFE, (found) =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, at) => `\\u${hex4(found.charCodeAt(at))}`).join(''),
  );
}

function hex4(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** Returns the terminal columns of a text; wide characters take two. */
export function columns(text: string): number {
  if (NARROW.test(text)) return text.length;
  let sum = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(stripVTControlCharacters(text))) {
    const seen = segment.replace(NO_COLUMN, '');
    if (seen !== '') sum += WIDE.test(seen) ? 2 : 1;
  }
  return sum;
}

/** Cuts the text to at most `width` columns, with `…` at the end if it was cut; never inside a character. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    used += columns(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columns(text))) + text;
}

/** Joins parts into lines of at most `width` columns. `separator` goes between parts and stays at the end of a line. */
export function fill(parts: readonly string[], width: number, separator = ''): string[] {
  const lines: string[] = [];
  parts.forEach((each, index) => {
    const part = index === parts.length - 1 ? each : each + separator;
    const longer = `${lines.at(-1) ?? ''} ${part}`;
    if (lines.length > 0 && columns(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  });
  return lines;
}

/**
 * Breaks text at spaces into lines of at most `width` columns. Cuts a word that fits no line. With `whole` the word
 * sticks out instead, so that paths and commands can be copied.
 */
export function wrap(text: string, width: number, { whole = false }: { readonly whole?: boolean } = {}): string[] {
  const words = text.split(' ');
  return fill(whole ? words : words.map((word) => cut(word, width)), width);
}
