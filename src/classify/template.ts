import type { SignatureReader } from './signature.js';
import { CODE, ERROR, GRAMMAR, isErrorClass, kindOfWord, NAMES, POINTS, PREDICATE, REASONED, SPEAKS } from './words.js';

/** Constant words in order, `null` where anything may stand. */
export type Words = readonly (string | null)[];

/** A message taken apart: `gaps` holds what stands before each word and, last, what stands behind all of them. */
export interface Parsed {
  readonly words: (string | null)[];
  readonly gaps: string[];
}

const VARIABLE = '<*>';

/** Takes apart what the reader just read with spans. */
export function parse(message: string, reader: SignatureReader): Parsed {
  const words: (string | null)[] = [];
  const gaps: string[] = [];
  if (typeof message !== 'string') return { words, gaps: [''] };
  let gap = '';
  let part = 0;
  let at = reader.startOfPart(0);
  let afterVariable = false;
  let afterSilent = false;
  for (const span of reader.spans ?? []) {
    while (part < span.part) {
      gap += `${message.slice(at, reader.endOfPart(part))}\n`;
      part++;
      at = reader.startOfPart(part);
      afterVariable = false;
    }
    const between = message.slice(at, span.start);
    if (span.silent) gap += afterSilent && between.trim() === '' ? '' : between + VARIABLE;
    else if (!(span.variable && afterVariable)) {
      gaps.push(gap + between);
      words.push(span.variable ? null : message.slice(span.start, span.end));
      gap = '';
    }
    if (!span.silent) afterVariable = span.variable;
    afterSilent = span.silent;
    at = span.end;
  }
  gaps.push(gap + message.slice(at, reader.endOfPart(part)));
  return { words, gaps };
}

export function render({ words, gaps }: Parsed): string {
  let text = gaps[0] ?? '';
  for (let index = 0; index < words.length; index++) text += (words[index] ?? VARIABLE) + (gaps[index + 1] ?? '');
  return text;
}

/** How two token sequences of one length compare. */
export interface Difference {
  /** Positions that differ, at most `MAX_DIFFERENCES`. */
  readonly at: readonly number[];
  /** Constant words in common; a variable in common counts as half a word. */
  readonly common: number;
}

const MAX_DIFFERENCES = 2;

const TELLING: ReadonlySet<number> = new Set([CODE, ERROR, SPEAKS]);

/** `undefined` when they differ in more places than a merge may bridge. */
export function compare(a: Words, b: Words): Difference | undefined {
  const at: number[] = [];
  let common = 0;
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index]) {
      if (at.length === MAX_DIFFERENCES) return undefined;
      at.push(index);
    } else common += a[index] === null ? 0.5 : 1;
  }
  return { at, common };
}

/**
 * Whether two wordings that differ so are one message with other values, at first sight: a value is already known to
 * stand there, or a word beside it announces a name. A field (`state=ready`) announces nothing unless its key does: fields
 * with few values are states that tell messages apart.
 */
export function sameAtSight(known: Parsed, words: Words, { at, common }: Difference): boolean {
  return at.every((position) => {
    if (!mayVary(known.words, words, position)) return false;
    const before = known.words[position - 1];
    const kind = typeof before === 'string' ? kindOfWord(before) : undefined;
    const isField = known.gaps[position]?.includes('=') ?? false;
    if (known.words[position] === null || words[position] === null) return common >= 3 * at.length;
    if (isField && kind !== NAMES) return false;
    if (kind === NAMES || kind === REASONED || isNamedAround(known, words, position)) return common >= 3 * at.length;
    return kind === POINTS && common >= 4 * at.length;
  });
}

/** `the PutObject operation`: a name in mixed case in front of what it is; `bash: line 1: rg: ...`: a command. */
function isNamedAround(known: Parsed, words: Words, position: number): boolean {
  const after = known.words[position + 1];
  if (
    typeof after === 'string' &&
    kindOfWord(after) === NAMES &&
    isMixed(known.words[position]) &&
    isMixed(words[position])
  )
    return true;
  const shell = known.words[position - 1] === null ? known.words[position - 2] : undefined;
  return shell === 'line' || (typeof shell === 'string' && SHELLS.test(shell));
}

const SHELLS = /^(?:bash|zsh|dash|ksh|sh)$/;

function isMixed(word: string | null | undefined): boolean {
  return typeof word === 'string' && /^[A-Za-z]+$/.test(word) && /[a-z][A-Z]/.test(word);
}

/** Whether they are alike enough that what differs may turn out to be variable once more of them have come. */
export function mayTurnOutSame(a: Words, b: Words, { at, common }: Difference): boolean {
  return common >= 0.5 + 2 * at.length && at.every((position) => mayVary(a, b, position));
}

/** Whether `general` is `special` with more of it variable. */
export function covers(general: Words, special: Words): boolean {
  for (let index = 0; index < general.length; index++) {
    if (general[index] === special[index]) continue;
    if (general[index] !== null || !mayVary(general, special, index)) return false;
  }
  return true;
}

/** Whether the words at `position` may be two values of one variable; `null` is a value like any other. */
function mayVary(a: Words, b: Words, position: number): boolean {
  // What a message starts with is its subject, what follows `code` or `error` its point.
  if (position === 0) return false;
  const before = a[position - 1];
  const kind = typeof before === 'string' ? kindOfWord(before) : undefined;
  if (kind !== undefined && TELLING.has(kind)) return false;
  const named = kind === NAMES || kind === POINTS || kind === REASONED;
  return isOpen(a[position] ?? null, named) && isOpen(b[position] ?? null, named);
}

/**
 * Words that carry the meaning are not open: error classes, codes, states in capitals, verb forms, grammar. Behind a word
 * that announces a name anything is one but what is known to say what became of it: `user fred`, not `user denied`.
 */
function isOpen(word: string | null, named: boolean): boolean {
  if (word === null) return true;
  const kind = kindOfWord(word);
  if (isErrorClass(word, 0, word.length) || kind === GRAMMAR || kind === PREDICATE) return false;
  return named || !/^[^a-z]+$|\d|(?:ed|ing)$/.test(word);
}
