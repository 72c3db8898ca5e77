import { buildShapes, type SecretShape, type SecretShapes } from './secret-shapes.js';
import type { Span } from './span.js';

/**
 * Finds secrets by their shape. Returns whether the text has a run of characters long enough to be an encoded secret.
 */
export function findShapes(text: string, found: Span[]): boolean {
  finder ??= new ShapeFinder();
  return finder.find(text, found);
}

/** Built on first use. Never changes afterwards. */
let finder: ShapeFinder | undefined;

interface Hint {
  readonly text: string;
  /** Third character, which rules out most texts; NaN if the hint has only two. */
  readonly third: number;
  readonly shape: SecretShape;
}

/** Minimum length of a run that can be a secret without a prefix: letters, digits, `-` and `_`. */
const WORD_RUN = 23;
/** Exact length of an AWS secret, a run of base64. The line of a private key has at least `KEY_LINE` characters. */
const AWS_RUN = 40;
const KEY_LINE = 64;
const CARD_DIGITS = 13;
const WORD = 1;
const DIGIT = 2;
const GAP = 4;
const BASE64 = 8;
/** Base64 without the `-` and `_` of addresses. */
const PLAIN_BASE64 = 16;

/**
 * Checks every pair of characters once. A table of pairs lists the hints that may begin there, so that shapes which do
 * not occur cost nothing.
 */
class ShapeFinder {
  /** Bucket number by pair of ASCII characters; 0 means none. */
  readonly #buckets = new Uint16Array(128 * 128);
  readonly #hints: Hint[][] = [[]];
  readonly #kinds = kindsOfCharacters();
  readonly #bare: SecretShapes['bare'];
  readonly #card: SecretShape;

  constructor() {
    const { hinted, bare, card } = buildShapes();
    this.#bare = bare;
    this.#card = card;
    for (const shape of hinted)
      for (const hint of shape.hints) this.#add({ text: hint, third: hint.charCodeAt(2), shape });
  }

  #add(hint: Hint): void {
    const pair = hint.text.charCodeAt(0) * 128 + hint.text.charCodeAt(1);
    const bucket = this.#buckets[pair] || this.#hints.push([]) - 1;
    this.#buckets[pair] = bucket;
    this.#hints[bucket]?.push(hint);
  }

  /** Adds the shapes whose hints begin at this position. */
  #look(
    text: string,
    at: number,
    hints: readonly Hint[],
    hinted: Set<SecretShape> | undefined,
  ): Set<SecretShape> | undefined {
    const third = text.charCodeAt(at + 2);
    let all = hinted;
    for (let index = 0; index < hints.length; index++) {
      const hint = hints[index];
      if (hint === undefined || (hint.third !== third && hint.text.length > 2)) continue;
      if (all?.has(hint.shape) || !text.startsWith(hint.text, at)) continue;
      if (hint.text === '://' && !text.includes('@', at)) continue; // an address without a user
      if (hint.shape.isWord && at > 0 && isLetterOrDigit(text.charCodeAt(at - 1))) continue;
      all ??= new Set();
      all.add(hint.shape);
    }
    return all;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one look at each character of each text that is recorded
  find(text: string, found: Span[]): boolean {
    let hinted: Set<SecretShape> | undefined;
    let last = 0;
    let word = 0;
    let run = 0;
    let digits = 0;
    let hasWord = false;
    let plainRun = 0;
    let longest = 0;
    let hasAwsRun = false;
    let hasKeyLine = false;
    let hasDigits = false;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const kind = code < 128 ? (this.#kinds[code] ?? 0) : 0;
      if (kind & WORD) {
        if (++word === WORD_RUN) hasWord = true;
      } else word = 0;
      if (kind & BASE64) {
        if (++run > longest) longest = run;
      } else run = 0;
      if (kind & PLAIN_BASE64) {
        if (++plainRun === KEY_LINE) hasKeyLine = true;
      } else {
        if (plainRun === AWS_RUN) hasAwsRun = true;
        plainRun = 0;
      }
      if (kind & DIGIT) {
        if (++digits === CARD_DIGITS) hasDigits = true;
      } else if (!(kind & GAP)) digits = 0;
      if (code < 128 && last !== 0) {
        const bucket = this.#buckets[last * 128 + code];
        if (bucket) hinted = this.#look(text, index - 1, this.#hints[bucket] ?? NO_HINTS, hinted);
      }
      last = code < 128 ? code : 0;
    }
    if (hinted) for (const shape of hinted) findAll(text, shape, found);
    if (hasWord && text.includes('.')) findAll(text, this.#bare.word, found);
    if (hasAwsRun || plainRun === AWS_RUN) findAll(text, this.#bare.awsSecret, found);
    if (hasKeyLine) findAll(text, this.#bare.privateKey, found);
    if (hasDigits) findAll(text, this.#card, found);
    return longest >= WORD_RUN;
  }
}

const NO_HINTS: readonly Hint[] = [];

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function findAll(text: string, { name, pattern, accepts }: SecretShape, found: Span[]): void {
  pattern.lastIndex = 0; // not `matchAll`, which copies the pattern each time
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    if (!accepts || accepts(match[0])) found.push({ start: match.index, end, name });
    if (end === match.index) pattern.lastIndex++;
  }
}

function kindsOfCharacters(): Uint8Array {
  const kinds = new Uint8Array(128);
  const mark = (characters: string, kind: number) => {
    for (const character of characters) kinds[character.charCodeAt(0)] = kind;
  };
  mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', WORD | BASE64 | PLAIN_BASE64);
  mark('0123456789', WORD | BASE64 | PLAIN_BASE64 | DIGIT);
  mark('+/', BASE64 | PLAIN_BASE64);
  kinds['_'.charCodeAt(0)] = WORD | BASE64;
  mark('-', WORD | BASE64 | GAP);
  mark(' ', GAP);
  return kinds;
}
