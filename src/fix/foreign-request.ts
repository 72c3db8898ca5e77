import { LANGUAGES, type Language, type Request, type Row } from './check-rule-languages.js';

/** What kind of request a text makes in one of these languages; undefined where it makes none. */
export function foreignRequest(text: string): Request | undefined {
  const folded = fold(text);
  const spacedText = ` ${folded.replace(/,/g, ' , ').replace(/[^\p{L}\p{N},]+/gu, ' ')} `.replace(/ {2,}/g, ' ');
  const denseText = folded.replace(/\s+/g, '');
  known ??= allKnown();
  const begun = beginnings(spacedText);
  return known.find(({ kind, heads, pattern }) =>
    kind === 'spaced' ? heads.some((head) => begun.has(head)) && pattern.test(spacedText) : pattern.test(denseText),
  )?.request;
}

/** How the words of a text begin: most rows need not be looked at. */
function beginnings(text: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (const word of text.split(' ')) {
    for (let length = 1; length <= Math.min(word.length, HEAD); length++) all.add(word.slice(0, length));
  }
  return all;
}

const HEAD = 5;

/**
 * Compatibility forms, case and marks set apart: `DÉSACTIVE`, `désactive` and `desactive` are one. Marks of other scripts stay,
 * as they make other letters there.
 */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC');
}

interface Known {
  readonly request: Request;
  readonly kind: Language['kind'];
  /** How its words begin: a letter to five of each. */
  readonly heads: readonly string[];
  readonly pattern: RegExp;
}

/** Built on first use, so that importing costs nothing; never changes after. */
let known: readonly Known[] | undefined;

function allKnown(): readonly Known[] {
  // Related languages share words: what one of them mentions must not be a demand in another.
  const mentions = LANGUAGES.flatMap(({ kind, mention }) => (kind === 'spaced' ? [mention] : [])).join(' ');
  return LANGUAGES.flatMap(({ kind, mention, rows }) =>
    rows.map((row) => ({
      request: row.request,
      kind,
      heads: [...new Set(row.words.split(' ').map(headOf))],
      pattern: new RegExp(kind === 'spaced' ? spaced(row, mentions) : dense(row, mention), 'u'),
    })),
  );
}

/** The letters a word begins with, as far as they are the same however it is written. */
function headOf(word: string): string {
  const letters = /^\p{L}+(?!\?)/u.exec(word.replace(/^\(\?<!.*?\)/, ''))?.[0] ?? '';
  return fold(letters.replace(/([äöü]).*/, '$1')).slice(0, HEAD);
}

/** Every repetition is bounded and knows where it ends, so that no text makes it try again and again. */
function spaced({ words, of, order = 'after', near = 4 }: Row, mention: string): string {
  if (of === undefined) return `(?<= )(?:${anyOf(words)})(?= )`;
  const asked = `(?<= )(?<! (?:${anyOf(mention)}) )(?:${anyOf(words)})`;
  const what = `(?:${anyOf(of)})`;
  const comma = order === 'after' ? '(?: ,)?' : '';
  const after = `${asked}${comma}(?: [^ ,]+${comma}){0,${near}} ${what}(?= )`;
  const before = `(?<= )${what}(?: [^ ,]+){0,${near}} ${asked}(?= )`;
  return inOrder(order, after, before);
}

function dense({ words, of, order = 'after', near = 10 }: Row, mention: string): string {
  if (of === undefined) return anyOf(words);
  const asked = `(?:${anyOf(words)})(?!${mention})`;
  const what = `(?:${anyOf(of)})`;
  const after = `${asked}[^。、,]{0,${near}}${what}`;
  const before = `${what}[^。、,]{0,${near}}${asked}`;
  return inOrder(order, after, before);
}

function inOrder(order: Row['order'], after: string, before: string): string {
  if (order === 'before') return before;
  return order === 'around' ? `${after}|${before}` : after;
}

/** Umlauts are also written as two letters. */
const anyOf = (words: string) =>
  words
    .split(' ')
    .map((word) => fold(word.replace(/[äöü]/g, '$&e?')).replaceAll('*', '\\p{L}*').replaceAll('_', ' '))
    .join('|');
