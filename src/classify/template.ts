import type { SignatureReader } from './signature.js';
import { CODE, ERROR, GRAMMAR, isErrorClass, kindOfWord, NAMES, POINTS, SPEAKS } from './words.js';

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
 * stand there, or the word before announces a name. A field (`state=ready`) announces nothing: fields with few values
 * are states that tell messages apart.
 */
export function sameAtSight(known: Parsed, words: Words, { at, common }: Difference): boolean {
  return at.every((position) => {
    if (!mayVary(known.words, words, position)) return false;
    if (known.words[position] === null || words[position] === null) return common >= 3 * at.length;
    const before = known.words[position - 1];
    if (typeof before !== 'string' || known.gaps[position]?.includes('=')) return false;
    const kind = kindOfWord(before);
    return (kind === NAMES && common >= 3 * at.length) || (kind === POINTS && common >= 4 * at.length);
  });
}

/** Whether they are alike enough that what differs may turn out to be variable once more of them have come. */
export function mayTurnOutSame(a: Words, b: Words, { at, common }: Difference): boolean {
  return common >= 1 + 2 * at.length && at.every((position) => mayVary(a, b, position));
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
  if (typeof before === 'string' && TELLING.has(kindOfWord(before))) return false;
  return isOpen(a[position] ?? null) && isOpen(b[position] ?? null);
}

/** Words that carry the meaning: error classes, codes, states in capitals, verb forms, grammar. */
function isOpen(word: string | null): boolean {
  if (word === null) return true;
  if (isErrorClass(word, 0, word.length) || kindOfWord(word) === GRAMMAR) return false;
  return !/^[^a-z]+$|\d|(?:ed|ing)$/.test(word);
}
