import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

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
  return stringWidth(text);
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
