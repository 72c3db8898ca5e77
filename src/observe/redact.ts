import { NAME_HINT } from './secret-names.js';
import { SECRET_SHAPES } from './secret-shapes.js';
import { findNamedSecrets, type Span } from './secret-values.js';

/**
 * Takes secrets out of a text: by shape (keys and tokens of known issuers, JWT, PEM, credentials in addresses, cards)
 * and by the name they stand behind (`password=`, `"apiKey":`, `Cookie:`), also where a line break splits them.
 * Each becomes `[redacted:<what>]`. Work is linear in the length; text without a suspicious character is given back as it is.
 */
export function redact(text: string): string {
  return redactBySigns(text, signsOf(text));
}

/** `redact` for whoever has looked for the signs already. */
export function redactBySigns(text: string, signs: number): string {
  const found: Span[] = [];
  if (signs & LONG_RUN) {
    // Escapes like `\n` in JSON inside a text would glue a letter to the secret behind it: blank them, lengths stay.
    const plain = text.includes('\\') ? text.replace(/\\[nrt]/g, '  ') : text;
    findShapes(plain, found);
    if (plain !== text || /[\r\n]/.test(text)) findSplit(plain, found);
  }
  if (signs & NAMED && NAME_HINT.test(text)) findNamedSecrets(text, found);
  return found.length === 0 ? text : replace(text, found);
}

/** A run of characters long enough for a secret, or an `@` that credentials could stand before. */
const LONG_RUN = 1;
/** A separator that a secret could stand behind, or a word of letters and digits. */
const NAMED = 2;
/** Half of a surrogate pair, or a whole one. */
export const SURROGATE = 4;
/** The shortest run in a secret that is known by its shape. */
const SHORTEST_RUN = 12;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const SEPARATOR = 3;
const DASH = 4;
const BLANK = 5;
const AT = 6;
const kinds = kindsOfCharacters();

/** One look at every character, without allocating; 0 means that no rule can match. */
export function signsOf(text: string): number {
  let signs = 0;
  let run = 0;
  let last = OTHER;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (kinds[code] ?? OTHER) : OTHER;
    if (kind === LETTER || kind === DIGIT) {
      if (last === BLANK && kind === LETTER) run = 0;
      if (++run === SHORTEST_RUN) signs |= LONG_RUN;
      if (kind !== last && (last === LETTER || last === DIGIT)) signs |= NAMED; // passw0rd
    } else if (kind === DASH) {
      if (++run === SHORTEST_RUN) signs |= LONG_RUN;
      if (last === DASH) signs |= LONG_RUN | NAMED; // -----BEGIN, --password
    } else if (kind === BLANK) {
      if (last !== DIGIT) run = 0; // a blank between digits may be inside the number of a card
    } else {
      run = 0;
      if (kind === SEPARATOR) signs |= NAMED;
      else if (kind === AT) signs |= LONG_RUN;
      else if (code >= 0xd800 && code <= 0xdfff) signs |= SURROGATE;
    }
    last = kind;
  }
  return signs;
}

function kindsOfCharacters(): Uint8Array {
  const table = new Uint8Array(128);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  };
  mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+~', LETTER);
  mark('0123456789', DIGIT);
  mark(':=%<', SEPARATOR);
  mark('-', DASH);
  mark(' ', BLANK);
  mark('@', AT);
  return table;
}

function findShapes(text: string, found: Span[]): void {
  for (const { name, hints, pattern, accepts } of SECRET_SHAPES) {
    if (hints.length > 0 && !hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      if (accepts && !accepts(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, name });
    }
  }
}

const BREAK = /(?<=[A-Za-z0-9_+/=.~-])[ \t]*(?:\r?\n|\r| {4})[ \t>|+]*(?=[A-Za-z0-9_+/=.~-])/g;

/** Finds secrets that were broken over lines: looks at the text with its breaks closed, and maps back what it finds there. */
function findSplit(text: string, found: Span[]): void {
  const breaks: { readonly at: number; readonly width: number }[] = [];
  let removed = 0;
  const joined = text.replace(BREAK, (match: string, offset: number) => {
    breaks.push({ at: offset - removed, width: match.length });
    removed += match.length;
    return '';
  });
  if (breaks.length === 0) return;
  const inJoined: Span[] = [];
  findShapes(joined, inJoined);
  for (const span of inJoined) {
    const inner = breaks.filter(({ at }) => at > span.start && at < span.end);
    if (inner.length === 0) continue; // found in the text as it stands
    const start = toOriginal(span.start, breaks, true);
    found.push({ start, end: endOfSecret(joined, span, inner, breaks), name: span.name });
  }
}

/** A piece on a further line belongs to the secret while it looks like one; an ordinary word there does not. */
function endOfSecret(
  joined: string,
  span: Span,
  inner: readonly { at: number }[],
  breaks: readonly { at: number; width: number }[],
): number {
  let end = span.end;
  for (let index = inner.length - 1; index >= 0; index--) {
    const at = inner[index]?.at ?? 0;
    const piece = joined.slice(at, end);
    if (/[0-9+/=]/.test(piece) || piece.length >= 12 || /[a-z][A-Z]/.test(piece)) break;
    end = at;
  }
  return toOriginal(end, breaks, false);
}

function toOriginal(position: number, breaks: readonly { at: number; width: number }[], isStart: boolean): number {
  let moved = 0;
  for (const { at, width } of breaks) {
    if (at < position || (isStart && at === position)) moved += width;
    else break;
  }
  return position + moved;
}

function replace(text: string, found: Span[]): string {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let result = '';
  let past = 0;
  for (const span of found) {
    if (span.end <= past) continue;
    if (span.start >= past) result += `${text.slice(past, span.start)}[redacted:${span.name}]`;
    past = span.end;
  }
  return result + text.slice(past);
}
