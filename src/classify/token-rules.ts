import { wordSet } from '../lib/word-set.js';
import { isCode, isHttpError, isReasonNext, isTellingExit } from './codes.js';
import {
  DIGIT,
  flagsOf,
  INSIDE,
  isHexadecimal,
  JOINER,
  LETTER,
  LOWER,
  NAMING,
  SPACE,
  UPPER,
  unitAt,
  WIDE,
} from './units.js';
import {
  CALENDAR,
  CODE,
  ERROR,
  isErrorClass,
  isFileName,
  isName,
  LITERAL,
  METHOD,
  NAMES,
  POINTS,
  REPORTS,
  SPEAKS,
  UNIT,
} from './words.js';

/** State after the text before a token. It decides whether the token states the error or is a value. */
export interface Before {
  /** Number of counted words and variable parts. */
  tokens: number;
  /** Number of words. */
  words: number;
  /** Whether the last token was a variable. */
  afterVariable: boolean;
  /** Kind of the word just before; `PLAIN` after a variable. */
  previous: number;
  /** Whether `=` or `:` separates the last token from here. */
  assigned: boolean;
  /** Whether it is a named field: `"error": ...`, `error=...`, not `error: ...`. */
  keyed: boolean;
  /** Whether a request line was quoted. A status after it is a measured value, like its size and time. */
  requested: boolean;
  /** Word count at the last mention of a process exit. A number soon after is the exit status. */
  exitAt: number;
}

/** Longer runs without a space are data, not words. */
const MAX_WORD = 64;

/** Words that may follow the name of a model or image. */
const TAGS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'free beta latest thinking online nitro floor extended instruct chat code preview mini vision stable nightly',
);

/** Returns whether a token with digits states the error: a status, an exit code, the code of an error. */
export function isConstantWithDigits(
  text: string,
  start: number,
  end: number,
  to: number,
  seen: number,
  before: Before,
): boolean {
  if (seen === DIGIT) return isConstantNumber(text, start, end, to, before);
  if ((seen & UPPER) === 0) return false;
  if (isErrorClass(text, start, end)) return true;
  // TS2345, ORA-00942, P2002 where a code is expected.
  const expected = before.previous === CODE || before.previous === ERROR || before.previous === SPEAKS;
  return expected && end - start <= 10 && (seen & (LOWER | NAMING)) === 0;
}

function isConstantNumber(text: string, start: number, end: number, to: number, before: Before): boolean {
  const digits = end - start;
  if (digits > 6) return false;
  if (before.words - before.exitAt <= 3) return isTellingExit(text, start, end);
  if (before.requested) return false;
  if (before.previous === CODE) return isCode(text, start, end);
  // Negative codes are protocol errors: `error -32603`.
  if (before.previous === ERROR && start > 0 && text.charCodeAt(start - 1) === 45) return true;
  return digits === 3 && isHttpError(text, start) && isStatusHere(text, start, end, to, before);
}

function isStatusHere(text: string, start: number, end: number, to: number, before: Before): boolean {
  if (before.previous === REPORTS || before.previous === ERROR) return true;
  if (before.tokens === 0 && (end === to || flagsOf(text.charCodeAt(end)) === 0)) return true;
  if (start > 0 && text.charCodeAt(start - 1) === 62) return true;
  if (isReasonNext(text, end, to)) return true;
  // `POST /v1/answers -> 500 {...}`, but not `compacted: 900 -> 500 tokens`.
  const arrow = start > 1 && text.charCodeAt(start - 1) === 32 && text.charCodeAt(start - 2) === 62;
  return arrow && (flagsOf(text.charCodeAt(end + 1)) & LETTER) === 0;
}

/** Returns whether a word is part of a value, judging by its adjacent characters. */
export function isPiece(
  text: string,
  start: number,
  end: number,
  to: number,
  seen: number,
  { assigned, keyed, afterVariable }: Before,
): boolean {
  const last = unitAt(text, start - 1, to);
  const next = unitAt(text, end, to);
  if (next === 32 && last === 32 && text.charCodeAt(end + 1) !== 91) return false;
  // An object printed as a value: `token=Token{...}`.
  if (next === 123 && assigned) return !isErrorClass(text, start, end);
  // The user in an access log: `10.0.0.1 - bob [21/Nov/2026...] "GET /...`.
  if (text.startsWith('- ', start - 2) && text.startsWith(' [', end)) return true;
  const goesOn = end + 1 < to && (flagsOf(text.charCodeAt(end + 1)) & INSIDE) !== 0;
  const isField = (assigned && keyed) || next === 61 || next === 58;
  if ((seen & UPPER) === 0 && !isField && isListed(last, next, goesOn)) return true;
  const inAddress = (last === 58 && afterVariable) || (next === 58 && goesOn);
  return inAddress && isHexadecimalGroup(text, start, end);
}

/** Returns whether a word may be part of an address: `00:ae:fb`. */
function isHexadecimalGroup(text: string, start: number, end: number): boolean {
  return (end - start === 2 || end - start === 4) && isHexadecimal(text, start, end);
}

/**
 * Returns whether a word is part of a list without spaces: `yarn,hdfs`, `0|android|17`. The fields of
 * `mode=fast,retry=on` are named instead.
 */
function isListed(last: number, next: number, goesOn: boolean): boolean {
  return last === 44 || last === 124 || ((next === 44 || next === 124) && goesOn);
}

/** Returns whether a word of this kind is a value here: a unit, a day, `null` as the value of a field, a method of HTTP. */
export function isValueWord(kind: number, text: string, end: number, { afterVariable, assigned }: Before): boolean {
  if (kind === UNIT) return afterVariable;
  if (kind === LITERAL) return assigned;
  return kind === CALENDAR || (kind === METHOD && text.startsWith('http', end + 1));
}

/** Returns whether quoted text states the error (or names a field), as opposed to being a value. */
export function isSpoken(text: string, start: number, end: number, after: number, to: number, before: Before): boolean {
  const next = unitAt(text, after, to);
  if (next === 58 || isMessageNext(before)) return true;
  // A truncated quotation is an extract: `"<!DOCTYPE "... is not valid JSON`.
  if (next === 0x2026 || (next === 46 && text.startsWith('...', after))) return false;
  let seen = 0;
  for (let index = start; index < end; index++) seen |= flagsOf(text.charCodeAt(index));
  if ((seen & SPACE) !== 0) return isSentence(text, start, end, before);
  const isCapitals = (seen & (UPPER | LOWER | DIGIT)) === UPPER && end - start > 1;
  return (isCapitals && !before.assigned) || ((seen & UPPER) !== 0 && isErrorClass(text, start, end));
}

/** Longest name, in characters: of scripts without spaces, and of others. */
const MAX_WIDE_NAME = 12;
const MAX_NAME = 40;
/** Most spaces in a name of a person or product. */
const MAX_NAME_SPACES = 2;

/**
 * Returns whether text in quotes or brackets of another script is a name: it is short, and no error is stated there.
 */
export function isEnclosedName(text: string, start: number, end: number, to: number, before: Before): boolean {
  if (unitAt(text, end + 1, to) === 58 || isMessageNext(before) || before.previous === ERROR) return false;
  const isWide = (flagsOf(text.charCodeAt(start)) & WIDE) !== 0;
  if (end - start > (isWide ? MAX_WIDE_NAME : MAX_NAME)) return false;
  let spaces = 0;
  for (let index = start; index < end; index++) if (flagsOf(text.charCodeAt(index)) === SPACE) spaces++;
  return spaces <= MAX_NAME_SPACES;
}

/** Returns whether the value after the words just before is the message or the code of an error. */
function isMessageNext({ assigned, keyed, previous }: Before): boolean {
  return assigned && (previous === SPEAKS || previous === CODE || (previous === ERROR && keyed));
}

/** Returns whether quoted text with spaces states the error. It may also be a name or the value of a field. */
function isSentence(text: string, start: number, end: number, { assigned, previous }: Before): boolean {
  if (previous === NAMES) return false;
  if (previous === ERROR || isWholeSentence(text, start, end)) return true;
  return !assigned && !isListItem(text, start, end) && !isFileName(text, start, end);
}

/** Returns whether quoted text is the first item of a list in brackets: `Expected one of ['New York']`. */
function isListItem(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end + 1);
  return text.charCodeAt(start - 2) === 91 && (next === 93 || next === 44);
}

/** Least spaces in a value that is a sentence. */
const SENTENCE_SPACES = 3;

/** Returns whether text begins with a capital, has several words and ends with a full stop, as messages do. */
function isWholeSentence(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end - 1) !== 46 || (flagsOf(text.charCodeAt(start)) & UPPER) === 0) return false;
  let spaces = 0;
  for (let index = start; index < end; index++) if (flagsOf(text.charCodeAt(index)) === SPACE) spaces++;
  return spaces >= SENTENCE_SPACES;
}

/**
 * Returns the index after the port in `cache:443:`, or after the name of a missing command: `rg: command not found`.
 */
export function afterAddress(text: string, start: number, colon: number, to: number, before: Before): number {
  if (text.startsWith(': command not found', colon)) return colon;
  // `/bin/sh: 1: rg: not found`
  if (text.startsWith(': not found', colon) && (flagsOf(text.charCodeAt(start - 3)) & DIGIT) !== 0) return colon;
  let end = colon + 1;
  while (end < to && end < colon + 7 && (flagsOf(text.charCodeAt(end)) & DIGIT) !== 0) end++;
  const digits = end - colon - 1;
  const after = unitAt(text, end, to);
  const isLast = end + 1 >= to || flagsOf(text.charCodeAt(end + 1)) === SPACE;
  const closes = (after === 58 && isLast) || (before.previous === POINTS && (flagsOf(after) & INSIDE) === 0);
  return digits < 2 || digits > 5 || !closes || start === colon ? -1 : end;
}

/** Returns the index after the tag of a model or image: `qwen2.5:free`, `llama3:70b`. */
export function afterTag(text: string, end: number, to: number): number {
  if (text.charCodeAt(end) !== 58) return end;
  let at = end + 1;
  let digits = 0;
  while (at < to && (flagsOf(text.charCodeAt(at)) & INSIDE) !== 0 && at < end + 16) {
    digits |= flagsOf(text.charCodeAt(at)) & DIGIT;
    at++;
  }
  return at > end + 1 && (digits !== 0 || TAGS.has(text.slice(end + 1, at))) ? at : end;
}

/** Returns whether the token goes on after a joiner, or after an apostrophe as in "can't". */
export function continuesAfter(
  text: string,
  at: number,
  to: number,
  unit: number,
  flags: number,
  seen: number,
): boolean {
  const isApostrophe = unit === 39;
  if ((flags & JOINER) === 0 && !isApostrophe) return false;
  const next = at + 1 < to ? flagsOf(text.charCodeAt(at + 1)) : 0;
  if ((next & INSIDE) === 0) return false;
  return !isApostrophe || ((next & LETTER) !== 0 && (seen & LETTER) !== 0);
}

/** Returns whether a joiner at the start of a token begins a path or an address: `/a`, `~/a`, `./a`, `../a`, `\\\\a`, `@a`. */
export function startsPath(joiner: number, next: number, afterNext: number): boolean {
  switch (joiner) {
    case 47:
      return (flagsOf(next) & (INSIDE | JOINER)) !== 0;
    case 126:
      return next === 47;
    case 46:
      return next === 47 || (next === 46 && afterNext === 47);
    case 92:
      return next === 92;
    case 64:
      return (flagsOf(next) & LETTER) !== 0;
    default:
      return false;
  }
}

/** Returns whether a slash or backslash after a word makes it a path: `src/a.ts`, not `/ `. */
export function startsSegment(text: string, slash: number, to: number): boolean {
  const unit = unitAt(text, slash, to);
  return (unit === 47 || unit === 92) && slash + 1 < to && text.charCodeAt(slash + 1) > 32;
}

/** Returns whether letters before a colon start a URL or the path of a Windows drive. */
export function startsUrl(text: string, start: number, colon: number, seen: number): boolean {
  if ((seen & ~LETTER) !== 0) return false;
  return text.startsWith('//', colon + 1) || (colon === start + 1 && text.charCodeAt(colon + 1) === 92);
}

/** Returns whether a token is the name of a thing, or too long for a word. The name of an error class is neither. */
export function isNameOrData(text: string, start: number, end: number, seen: number): boolean {
  const isData = end - start > MAX_WORD || ((seen & NAMING) !== 0 && isName(text, start, end));
  return isData && ((seen & UPPER) === 0 || !isErrorClass(text, start, end));
}
