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

/** Minimum length of a run that can be a secret without a prefix. */
const LONG_RUN = 23;
/** Run of letters, digits, `-` and `_`, as in a token of three parts. */
const WORD_RUN = /[\w-]{23}/;
/** Run of base64, without the `-` and `_` of addresses. An AWS secret has 40 characters, the line of a key 64. */
const BASE64_RUN = /[A-Za-z0-9+/]{40,}/g;
const AWS_LENGTH = 40;
const KEY_LINE = 64;
const CARD = /[0-9](?:[ -]*[0-9]){12}/;

/**
 * Checks every pair of characters once. A table of pairs lists the hints that may begin there, so that shapes which do
 * not occur cost nothing.
 */
class ShapeFinder {
  /** Bucket number by pair of ASCII characters; 0 means none. */
  readonly #buckets = new Uint16Array(128 * 128);
  readonly #hints: Hint[][] = [[]];
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

  find(text: string, found: Span[]): boolean {
    let hinted: Set<SecretShape> | undefined;
    let last = 0;
    let run = 0;
    let hasRun = false;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const code = unit < 128 ? unit : 0;
      const bucket = this.#buckets[last * 128 + code] ?? 0;
      if (bucket > 0) hinted = this.#look(text, index - 1, this.#hints[bucket] ?? NO_HINTS, hinted);
      run = isRunCharacter[code] === 1 ? run + 1 : 0;
      hasRun ||= run === LONG_RUN;
      last = code;
    }
    if (hinted) for (const shape of hinted) findAll(text, shape, found);
    if (hasRun) this.#findBare(text, found);
    if (CARD.test(text)) findAll(text, this.#card, found);
    return hasRun;
  }

  /** Finds secrets without a prefix, which only the length of a run shows. */
  #findBare(text: string, found: Span[]): void {
    if (text.includes('.') && WORD_RUN.test(text)) findAll(text, this.#bare.word, found);
    const lengths = (text.match(BASE64_RUN) ?? []).map((run) => run.length);
    if (lengths.includes(AWS_LENGTH)) findAll(text, this.#bare.awsSecret, found);
    if (lengths.some((length) => length >= KEY_LINE)) findAll(text, this.#bare.privateKey, found);
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
  }
}

/** Characters of base64 and of words, by code. */
const isRunCharacter = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
