import { BENIGN } from './benign.js';
import { findInCommands } from './command-secrets.js';
import { looksRandom } from './looks-random.js';
import { namesToken, type SecretName, secretName } from './secret-names.js';
import type { Span } from './span.js';

const MAX_NAME = 80;
const MAX_VALUE = 8_192;
const MAX_LIST = 1_024;
/** Headers and settings whose value extends to the end of the line, with all blanks. */
const WHOLE_LINE = /authorization|cookie|connection.?string/i;
/** Identifier in program code: `getToken`, `user.password`, `string[]`. */
const IDENTIFIER = /^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)*(?:\[\])?$/;

/**
 * Finds values after a name that indicates a secret: `password=...`, `"apiKey": "..."`, `Cookie: ...`, `--token ...`.
 * Escapes in the text must already be decoded.
 */
export function findNamedSecrets(text: string, found: Span[]): void {
  let past = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code !== COLON && code !== EQUALS) || index < past) continue;
    const name = nameBefore(text, index);
    if (name === undefined) continue;
    const arrow = code === EQUALS && text.charAt(index + 1) === '>' ? 1 : 0;
    const value =
      listAfter(text, index + 1 + arrow, name) ?? valueAfter(text, index + 1 + arrow, WHOLE_LINE.test(name.text));
    if (!isSecretValue(text, value, name, code === EQUALS, index)) continue;
    found.push({ start: value.start, end: value.end, name: 'named' });
    past = value.end;
  }
  if (/(?:^|[\s"'`,[])--?[A-Za-z]|machine|(?:bind|root)pw|\/(?:user|p):|_user /.test(text)) findInCommands(text, found);
  if (text.includes('</')) findElements(text, found);
  findSpoken(text, found);
}

const COLON = 58;
const EQUALS = 61;

/** `getToken(`: program code that produces the value, not the value. */
const CALL = /^[A-Za-z_$][\w$.]*\(/;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Whether the value directly follows the separator. */
  readonly attached: boolean;
  readonly isList?: true;
}

interface Name {
  readonly text: string;
  readonly strength: SecretName;
}

/** Parameters of addresses that carry a code or a key, and mean nothing elsewhere. */
const QUERY_NAME = /^(?:key|code|t|k|hash|state|nonce|ott|magic|invite)$/;
const MAX_WORDS = 3;
/** Closing quote or blank between a name and its separator. */
const CLOSING = /[\s"'`\\\])]/;
const MAX_BETWEEN = 40;

/**
 * Returns the secret name directly before a separator, past closing quotes and blanks. Also finds names of several
 * words: `api key: ...`, `mot de passe : ...`.
 */
function nameBefore(text: string, separator: number): Name | undefined {
  const least = Math.max(0, separator - MAX_BETWEEN);
  let end = separator;
  while (end > least && CLOSING.test(text.charAt(end - 1))) end--;
  let start = startOfWord(text, end);
  const word = text.slice(start, end);
  if (QUERY_NAME.test(word) && /[?&]/.test(text.charAt(start - 1))) return { text: word, strength: 'weak' };
  let weak: Name | undefined;
  for (let words = 1; words <= MAX_WORDS && start < end; words++) {
    const name = text.slice(start, end);
    const strength = secretName(name);
    if (strength === 'strong') return { text: name, strength };
    // `password_length: 12` does not become a secret because of the word before it.
    if (strength === undefined && words === 1 && ABOUT_A_SECRET.test(name)) return undefined;
    weak ??= strength && { text: name, strength };
    if (text.charAt(start - 1) !== ' ') break;
    start = startOfWord(text, start - 1);
  }
  return weak;
}

/** Name of several words about a secret, such as its length. */
const ABOUT_A_SECRET = /^(?=.*(?:pass|secret|token|key)).*[_-]/i;

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_NAME && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

/**
 * Returns whether a character may be part of a name: ASCII letters, digits and `_.-`; beyond ASCII, letters and marks.
 */
function isNameCharacter(code: number): boolean {
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 45 && code <= 57 && code !== 47) ||
      code === 95
    );
  return /[\p{L}\p{M}]/u.test(String.fromCharCode(code));
}

/** Returns the range of a whole list: `auth: ['user', 'hunter2']`, `passwords = ("one", "two")`. */
function listAfter(text: string, from: number, { text: name, strength }: Name): Value | undefined {
  if (strength !== 'strong' && !/auth/i.test(name)) return undefined;
  const opening = /^\s{0,4}[[(]\s{0,8}(?=\\{0,3}["'`])/.exec(text.slice(from, from + 20))?.[0];
  if (opening === undefined) return undefined;
  const start = from + opening.length;
  const close = /[\])]/g;
  close.lastIndex = start;
  const end = close.exec(text.slice(0, start + MAX_LIST))?.index;
  return end === undefined ? undefined : { start, end, quoted: true, attached: true, isList: true };
}

function valueAfter(text: string, from: number, wholeLine: boolean): Value {
  let start = from;
  let breaks = 0;
  while (start < text.length && start < from + 200) {
    const char = text.charAt(start);
    if (char === '\n' && ++breaks > 1) break;
    if (!/\s/.test(char)) break;
    start++;
  }
  const attached = start === from;
  const opening = /^\\{0,3}["'`]/.exec(text.slice(start, start + 4))?.[0];
  if (opening !== undefined) {
    const inside = start + opening.length;
    const close = closingQuote(text, inside, opening);
    return { start: inside, end: close, quoted: true, attached };
  }
  const stop = wholeLine ? /[\r\n"]|\\"/g : /[\s,;&"'`)}\]<>|]|\\"/g;
  stop.lastIndex = start;
  const end = stop.exec(text.slice(0, start + MAX_VALUE))?.index ?? Math.min(text.length, start + MAX_VALUE);
  return { start, end, quoted: false, attached };
}

function closingQuote(text: string, from: number, opening: string): number {
  const limit = Math.min(text.length, from + MAX_VALUE);
  for (let at = from; at < limit; at++) {
    if (text.startsWith(opening, at) && (opening.length > 1 || text.charAt(at - 1) !== '\\')) {
      return at;
    }
  }
  return limit;
}

const SCHEME = /^(?:bearer|basic|token|apikey|ssws|digest)\s+/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function isSecretValue(
  text: string,
  value: Value,
  { text: name, strength }: Name,
  assigned: boolean,
  separator: number,
): boolean {
  if (value.isList) return true;
  const raw = text.slice(value.start, value.end).trim();
  if (BENIGN.test(raw.replace(SCHEME, '').slice(0, 200))) return false;
  if (strength === 'weak')
    return UUID.test(raw) ? namesToken(name, value.quoted || (assigned && value.attached)) : isTokenLike(raw);
  if (value.quoted) return true;
  if (CALL.test(raw) || /^[({[]/.test(raw)) return false;
  if (assigned && value.attached) return true;
  if (IDENTIFIER.test(raw)) return !assigned && isWholeLine(text, value, separator) && raw.length >= SHORTEST;
  return isPasswordLike(raw) || looksRandom(raw);
}

/** Shortest password that is recognised without quotes. */
const SHORTEST = 6;

/** Returns whether a value without a secret's name looks like a token. */
function isTokenLike(raw: string): boolean {
  if (/\s/.test(raw)) return SCHEME.test(raw) && looksRandom(raw.replace(SCHEME, ''));
  return looksRandom(raw) && (isMixed(raw) || (raw.length >= 16 && !IDENTIFIER.test(raw)));
}

function isPasswordLike(raw: string): boolean {
  return isMixed(raw) || /^[0-9]{4,}$/.test(raw) || (raw.length >= SHORTEST && /[^A-Za-z0-9.\s]/.test(raw));
}

/** Returns whether a value has both letters and digits. */
function isMixed(raw: string): boolean {
  return raw.length >= SHORTEST && /[0-9]/.test(raw) && /[A-Za-z]/.test(raw);
}

/**
 * Returns whether a value is alone on its line. There `password: swordfish` is a setting; in a sentence it is prose.
 */
function isWholeLine(text: string, value: Value, separator: number): boolean {
  const lineStart = text.lastIndexOf('\n', separator) + 1;
  const before = text.slice(Math.max(lineStart, separator - MAX_NAME - 1), separator).trim();
  const after = text.slice(value.end, value.end + 40).match(/^[ \t]*([^\r\n]?)/);
  return !before.includes(' ') && after?.[1] === '' && text.lastIndexOf('\n', value.start) < separator;
}

const ELEMENT = /<([A-Za-z][A-Za-z0-9_:.-]{1,60})(?:\s[^<>]{0,200})?>([^<>]{1,2000})<\//g;

/** Finds `<password>...</password>`. */
function findElements(text: string, found: Span[]): void {
  for (const match of text.matchAll(ELEMENT)) {
    const [whole, name = '', value = ''] = match;
    if (secretName(name) !== 'strong' || BENIGN.test(value.trim())) continue;
    const end = match.index + whole.length - 2;
    found.push({ start: end - value.length, end, name: 'named' });
  }
}

/** `user_id=...`: the next field of a log line, which `findNamedSecrets` judges by its own name. */
const FIELD = /^[A-Za-z][\w.-]*=(?!=*$)/;

const SPOKEN =
  /\b(?:pass(?:word|phrase|code)|secret|token|api[ _-]?key|credentials?)\s{1,3}(?:is|was|were|are)?\s{0,3}(["'`]?)([^\s"'`]{6,400})/gi;

/** Finds secrets in prose: `the password is Tr0ub4dor&3`, `invalid api key abc123...`. */
function findSpoken(text: string, found: Span[]): void {
  for (const match of text.matchAll(SPOKEN)) {
    const value = (match[2] ?? '').replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '');
    const letters = /[A-Za-z]/.test(value) && /[0-9]/.test(value);
    if (!letters || !looksRandom(value) || BENIGN.test(value) || FIELD.test(value)) continue;
    const start = match.index + match[0].length - (match[2] ?? '').length;
    found.push({ start, end: start + value.length, name: 'named' });
  }
}
