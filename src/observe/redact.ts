import { showValue } from '../lib/text.js';
import { findShapes } from './find-shapes.js';
import { plainView } from './plain-view.js';
import { hasNameHint } from './secret-names.js';
import { findNamedSecrets } from './secret-values.js';
import type { Span } from './span.js';
import { findSplit } from './split-secrets.js';
import { findWrapped } from './wrapped-secrets.js';

/**
 * Replaces secrets in a text by `[redacted:<what>]`. Finds them by shape: keys and tokens of known issuers, JWT, PEM,
 * credentials in addresses, cards. Also finds them by the name before them: `password=`, `"apiKey":`, `Cookie:`.
 * Colours, escapes, invisible characters, line breaks, quotes and base64 do not hide them.
 * Runs in linear time. Text without a suspicious character is returned unchanged.
 */
export function redact(text: string): string {
  // Untyped programs pass values that are no text.
  if (typeof text !== 'string') return redact(showValue(text));
  const signs = signsOf(text);
  if ((signs & (LONG_RUN | NAMED | VEILED)) === 0) return text;
  if ((signs & VEILED) === 0) return replace(text, findSecrets(text, signs));
  const view = plainView(text);
  if (view.text === text) return replace(text, findSecrets(text, signs));
  const found = findSecrets(view.text, signsOf(view.text)).map(({ start, end, name }) => ({
    start: view.toOriginal(start),
    end: view.toOriginal(end),
    name,
  }));
  if (view.blanked !== text) found.push(...findSecrets(view.blanked, signsOf(view.blanked)));
  return replace(text, found);
}

/** Flags of commands, and parameters of addresses. */
const OTHER_HINT = /[ ,]["'`]?(?:--?\w|\/(?:user|p):)|[?&]\w{1,8}=|_user /;

/** Schemes of HTTP authorization, whose values may be short. */
const AUTHORIZATION = /[Bb](?:earer|EARER|asic|ASIC)[\s+]/;

function findSecrets(text: string, signs: number): Span[] {
  const found: Span[] = [];
  if (signs & LONG_RUN || AUTHORIZATION.test(text)) {
    if (findShapes(text, found)) findWrapped(text, found);
    if (/[\r\n"'`]/.test(text)) findSplit(text, found);
  }
  if (signs & NAMED && (hasNameHint(text) || OTHER_HINT.test(text))) findNamedSecrets(text, found);
  return found;
}

/** Sign: a run of characters long enough for a secret, or an `@` that may follow credentials. */
const LONG_RUN = 1;
/** Sign: a separator that may precede a secret, or a word of letters and digits. */
const NAMED = 2;
/**
 * Sign: a character that may hide others, such as an escape, a terminal sequence, an invisible or look-alike character.
 */
const VEILED = 4;
/** Minimum run of characters in a secret that is known by its shape. */
const SHORTEST_RUN = 12;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const SEPARATOR = 3;
const DASH = 4;
const BLANK = 5;
const AT = 6;
/** Characters that begin escapes, entities and terminal sequences. */
const VEIL = 7;
const BRACKET = 8;
const PERCENT = 9;
const KINDS = 10;
const kinds = /* @__PURE__ */ kindsOfCharacters();

/** Steps that a pair of characters causes, besides its signs: a run ends, or becomes one longer. */
const RESET = 8;
const COUNT = 16;
const SIGNS = 7;
const steps = /* @__PURE__ */ stepsOfPairs();

/** Returns the signs of a text in one pass, without allocating; 0 means that no rule can match. */
export function signsOf(text: string): number {
  let signs = 0;
  let run = 0;
  let last = OTHER;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? (kinds[code] ?? OTHER) : OTHER;
    const step = steps[last * KINDS + kind] ?? 0;
    signs |= step;
    if (step & RESET) run = 0;
    if (step & COUNT && ++run === SHORTEST_RUN) signs |= LONG_RUN;
    if (code >= 128 && isVeil(code)) signs |= VEILED;
    last = kind;
  }
  return signs & SIGNS;
}

/** Returns the steps of each pair of kinds, at `last * KINDS + kind`. */
function stepsOfPairs(): Uint8Array {
  const table = new Uint8Array(KINDS * KINDS);
  for (let last = 0; last < KINDS; last++) {
    const put = (kind: number, step: number) => {
      table[last * KINDS + kind] = step;
    };
    put(OTHER, RESET);
    put(BRACKET, RESET);
    // A blank between digits may be inside a card number.
    put(BLANK, last === DIGIT ? 0 : RESET);
    put(LETTER, COUNT | (last === BLANK ? RESET : 0) | (last === DIGIT ? NAMED : 0)); // passw0rd
    put(DIGIT, COUNT | (last === BRACKET ? VEILED : 0) | (last === LETTER ? NAMED : 0)); // a colour without its escape
    put(DASH, COUNT | (last === DASH ? LONG_RUN | NAMED : 0) | (last === BLANK ? NAMED : 0)); // --password, -p
    put(SEPARATOR, RESET | NAMED);
    put(PERCENT, RESET | NAMED | VEILED);
    put(AT, RESET | LONG_RUN);
    put(VEIL, RESET | VEILED);
  }
  return table;
}

/**
 * Returns whether a character may hide others: control characters, invisible ones, and letters of other widths and
 * styles.
 * Ordinary letters of any language do not.
 */
function isVeil(code: number): boolean {
  if (code < 0x2000)
    return (
      code < 0xa0 ||
      code === 0xad ||
      code === 0x34f ||
      code === 0x61c ||
      code >> 4 === 0x180 ||
      code === 0x115f ||
      code === 0x1160 ||
      code >> 1 === 0x17b4 >> 1
    );
  return (
    code < 0x2070 ||
    code === 0x241b ||
    code === 0x2800 ||
    code === 0x3164 ||
    code === 0xd82f ||
    code >> 1 === 0xd834 >> 1 ||
    code >> 2 === 0xdb40 >> 2 ||
    (code >= 0xfe00 && code < 0xfe10) ||
    code >= 0xfeff
  );
}

function kindsOfCharacters(): Uint8Array {
  const table = new Uint8Array(128);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  };
  mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_+~', LETTER);
  mark('0123456789', DIGIT);
  mark(':=<', SEPARATOR);
  mark('%', PERCENT);
  mark('-', DASH);
  mark(' ', BLANK);
  mark('@', AT);
  mark('\\&^\x1b', VEIL);
  mark('[', BRACKET);
  return table;
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
