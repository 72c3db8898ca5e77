import { NAME_HINT } from './secret-names.js';
import { secretShapes } from './secret-shapes.js';
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
  if ((signs & (LONG_RUN | NAMED)) === 0) return text;
  const plain = withoutEscapes(text);
  if (signs & LONG_RUN) {
    findShapes(plain, found);
    if (/[\r\n]/.test(plain)) findSplit(plain, found);
  }
  if (signs & NAMED && (NAME_HINT.test(text) || / -u |--user/.test(text))) findNamedSecrets(plain, found);
  return found.length === 0 ? text : replace(text, found);
}

const URL_ESCAPES: Readonly<Record<string, string>> = {
  '%20': ' ',
  '%22': '"',
  '%27': "'",
  '%26': '&',
  '%2C': ',',
  '%3A': ':',
  '%3D': '=',
  '%0A': '\n',
};

/**
 * Escapes glue letters to what stands behind them (`\\nghp_...`, `%3Dghp_...`) and hide names and quotes. Puts what they
 * mean in their place, filled up with blanks, so that every position stays the same.
 */
function withoutEscapes(text: string): string {
  const lines = text.includes('\\')
    ? text.replace(/\\[nrt]/g, (sequence) => (sequence === '\\t' ? '  ' : '\n '))
    : text;
  if (!lines.includes('%')) return lines;
  return lines.replace(
    /%(?:2[0267Cc]|3[ADad]|0[Aa])/g,
    (sequence) => `${URL_ESCAPES[sequence.toUpperCase()] ?? ' '}  `,
  );
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
const kinds = /* @__PURE__ */ kindsOfCharacters();

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
  const { all, unhinted, anyHint } = secretShapes();
  for (const { name, hints, pattern, accepts } of anyHint.test(text) ? all : unhinted) {
    if (hints.length > 0 && !hints.some((hint) => text.includes(hint))) continue;
    pattern.lastIndex = 0; // not `matchAll`, which makes a copy of the pattern each time
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      if (accepts && !accepts(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, name });
    }
  }
}

/** A line break inside something long enough to be a part of a secret. */
const BREAK = /(?<=[A-Za-z0-9_+/=.~-]{8})[ \t]*(?:\r?\n|\r)[ \t>|+]*(?=[A-Za-z0-9_+/=.~-]{4})/g;
/** How far from a break the two halves are looked at together. */
const HALF = 256;

/** Finds secrets that were broken over lines: with all breaks closed, and with each one closed alone. */
function findSplit(text: string, found: Span[]): void {
  const breaks: Break[] = [];
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
    found.push({
      start: toOriginal(span.start, breaks),
      end: endOfSecret(joined, span, inner, breaks),
      name: span.name,
    });
  }
  // What follows a secret of fixed length on the line after it must not be joined to it.
  for (const match of text.matchAll(BREAK)) {
    const before = /[A-Za-z0-9_+/=.~-]*$/.exec(text.slice(Math.max(0, match.index - HALF), match.index))?.[0] ?? '';
    const end = match.index + match[0].length;
    const after = /^[A-Za-z0-9_+/=.~-]*/.exec(text.slice(end, end + HALF))?.[0] ?? '';
    const inPair: Span[] = [];
    if (/[0-9]/.test(before) || /[0-9]/.test(after)) findShapes(before + after, inPair);
    for (const span of inPair) {
      if (span.start >= before.length || span.end <= before.length) continue;
      found.push({
        start: match.index - before.length + span.start,
        end: end + span.end - before.length,
        name: span.name,
      });
    }
  }
}

/** In the text with its breaks closed: where one was, and how wide. */
interface Break {
  readonly at: number;
  readonly width: number;
}

/** A piece on a further line belongs to the secret while it looks like one; an ordinary word there does not. */
function endOfSecret(joined: string, span: Span, inner: readonly Break[], breaks: readonly Break[]): number {
  let end = span.end;
  for (let index = inner.length - 1; index >= 0; index--) {
    const at = inner[index]?.at ?? 0;
    const piece = joined.slice(at, end);
    if (/[0-9+/=]/.test(piece) || piece.length >= 12 || /[a-z][A-Z]/.test(piece)) break;
    end = at;
  }
  return toOriginal(end, breaks);
}

function toOriginal(position: number, breaks: readonly Break[]): number {
  let moved = 0;
  for (const { at, width } of breaks) {
    if (at >= position) break;
    moved += width;
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
