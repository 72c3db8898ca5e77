import type { SignatureReader, Span } from './signature.js';
import { CODE, ERROR, GRAMMAR, isErrorClass, kindOfWord, NAMES, POINTS, PREDICATE, REASONED, SPEAKS } from './words.js';

/** Constant words in order, `null` for variable positions. */
export type Words = readonly (string | null)[];

/** Parsed message. `gaps` holds the text before each word and, last, the text after all of them. */
export interface Parsed {
  readonly words: (string | null)[];
  readonly gaps: string[];
}

const VARIABLE = '<*>';

/** Splits the message that the reader has just read with spans. */
export function parse(message: string, reader: SignatureReader): Parsed {
  if (typeof message !== 'string') return { words: [], gaps: [''] };
  const splitter = new Splitter(message, reader);
  for (const span of reader.spans ?? []) splitter.add(span);
  return splitter.end();
}

/** Splits a message at its spans, which are added in order. */
class Splitter {
  readonly #words: (string | null)[] = [];
  readonly #gaps: string[] = [];
  readonly #message: string;
  readonly #reader: SignatureReader;
  /** Text since the last word, up to `#at`, which is in line range `#part`. */
  #gap = '';
  #part = 0;
  #at: number;
  #afterVariable = false;
  #afterSilent = false;

  constructor(message: string, reader: SignatureReader) {
    this.#message = message;
    this.#reader = reader;
    this.#at = reader.startOfPart(0);
  }

  add(span: Span): void {
    this.#enter(span.part);
    const between = this.#message.slice(this.#at, span.start);
    if (span.silent) this.#gap += this.#afterSilent && between.trim() === '' ? '' : between + VARIABLE;
    else {
      if (!(span.variable && this.#afterVariable)) this.#addWord(between, span);
      this.#afterVariable = span.variable;
    }
    this.#afterSilent = span.silent;
    this.#at = span.end;
  }

  end(): Parsed {
    this.#gaps.push(this.#gap + this.#message.slice(this.#at, this.#reader.endOfPart(this.#part)));
    return { words: this.#words, gaps: this.#gaps };
  }

  #enter(part: number): void {
    while (this.#part < part) {
      this.#gap += `${this.#message.slice(this.#at, this.#reader.endOfPart(this.#part))}\n`;
      this.#part++;
      this.#at = this.#reader.startOfPart(this.#part);
      this.#afterVariable = false;
    }
  }

  #addWord(between: string, { start, end, variable }: Span): void {
    this.#gaps.push(this.#gap + between);
    this.#words.push(variable ? null : this.#message.slice(start, end));
    this.#gap = '';
  }
}

export function render({ words, gaps }: Parsed): string {
  let text = gaps[0] ?? '';
  for (let index = 0; index < words.length; index++) text += (words[index] ?? VARIABLE) + (gaps[index + 1] ?? '');
  return text;
}

/** Comparison of two token sequences of equal length. */
export interface Difference {
  /** Positions that differ, at most `MAX_DIFFERENCES`. */
  readonly at: readonly number[];
  /** Number of common constant words; a common variable counts as half a word. */
  readonly common: number;
}

const MAX_DIFFERENCES = 2;

const TELLING: ReadonlySet<number> = new Set([CODE, ERROR, SPEAKS]);

/** Returns the difference, or `undefined` if more positions differ than a merge may bridge. */
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
 * Returns whether two wordings are evidently one message with different values. Either the position is already
 * variable, or an adjacent word announces a name. A field (`state=ready`) announces nothing unless its key does: fields
 * with few values are states that distinguish messages.
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

/**
 * Returns whether the position holds a mixed-case name before its noun (`the PutObject operation`), or a command
 * (`bash: line 1: rg: ...`).
 */
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

/** Returns whether the two are similar enough that the differing words may prove variable with more examples. */
export function mayTurnOutSame(a: Words, b: Words, { at, common }: Difference): boolean {
  return common >= 0.5 + 2 * at.length && at.every((position) => mayVary(a, b, position));
}

/** Returns whether `general` equals `special` except for additional variable positions. */
export function covers(general: Words, special: Words): boolean {
  for (let index = 0; index < general.length; index++) {
    if (general[index] === special[index]) continue;
    if (general[index] !== null || !mayVary(general, special, index)) return false;
  }
  return true;
}

/** Returns whether the words at `position` may be two values of one variable. `null` counts as any value. */
function mayVary(a: Words, b: Words, position: number): boolean {
  // The first word is the subject of a message, and a word after `code` or `error` is its key information.
  if (position === 0) return false;
  const before = a[position - 1];
  const kind = typeof before === 'string' ? kindOfWord(before) : undefined;
  if (kind !== undefined && TELLING.has(kind)) return false;
  const named = kind === NAMES || kind === POINTS || kind === REASONED;
  return isOpen(a[position] ?? null, named) && isOpen(b[position] ?? null, named);
}

/**
 * Returns whether a word may be a value. Words that carry the meaning may not: error classes, codes, states in
 * capitals, verb forms, grammar. After a word that announces a name, any word may be one, except known outcomes: `user
 * fred`, not `user denied`.
 */
function isOpen(word: string | null, named: boolean): boolean {
  if (word === null) return true;
  const kind = kindOfWord(word);
  if (isErrorClass(word, 0, word.length) || kind === GRAMMAR || kind === PREDICATE) return false;
  return named || !/^[^a-z]+$|\d|(?:ed|ing)$/.test(word);
}
