import { ERROR_CATEGORIES, type ErrorCategory } from '../contract/issue.js';
import { growingEdges } from './edges.js';
import { BREAK, NAME, NEGATOR, type Phrases } from './phrases.js';

/** How much each word speaks for each category; `word-weights.ts` says how it is written. */
export interface WordWeights {
  /** Score of each category before any word. */
  readonly categories: readonly (readonly [category: ErrorCategory, always: number])[];
  /** Words and their weights, by turns. */
  readonly words: string;
}

/** Steps in which weights are written. */
export const WEIGHT_STEP = 0.5;
/** Letter of the first category. */
export const FIRST_LETTER = 97;
/** A word without a weight of its own, in front of its pairs. */
export const NO_WEIGHT = '-';

const SENTENCE = /^[A-Z][a-z]* [a-z#]/;

/** Layout that tells a program's output from a sentence. Anchored or one step per character: it is tried on every text. */
export const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  [':lower', /^[a-z]/],
  [':sentence', SENTENCE],
  [':stop', /\.$/],
  [':head', /^\S{1,80}: /],
  [':class', /^[\w.]{1,80}(?:Error|Exception)\b/],
  [':place', /\.\w{1,5}[:(]\d/],
  [':quote', /[`'"]/],
  [':error', /^(?:error|fatal|ERROR|FATAL|Error)\b/],
  [':code', /[{}[\]<>=]/],
  [':constant', /[A-Z]_[A-Z]/],
  [':short', /^\S{1,80}(?: \S{1,80})?$/],
];

/** Adds up what the words of an error speak for. Each word, pair of neighbours and shape counts once. */
export class WordEvidence {
  /** By the order of `ERROR_CATEGORIES`; natural logarithms of odds. */
  readonly scores = new Float64Array(ERROR_CATEGORIES.length);
  /** By the same order: how many different words speak for each category, pairs, numbers and names left aside. */
  readonly support = new Uint16Array(ERROR_CATEGORIES.length);
  /** A text of it begins as a sentence does. */
  isSentence = false;
  readonly #always = new Float64Array(ERROR_CATEGORIES.length);
  /** Words lead on from node 0, the second words of pairs from the node of the first. */
  readonly #edges = growingEdges();
  /** By node: where its categories and weights begin in `#weights`, and which error met it last. */
  readonly #begins: Int32Array;
  readonly #metBy: Int32Array;
  readonly #weights: number[] = [];
  /** Node of the word that a symbol stands for, 0 for words without weight. */
  readonly #nodeAt: Int32Array;
  /** Number of that word, which pairs go by. */
  readonly #numberAt: Int32Array;
  readonly #first: number;
  readonly #shapes: readonly (readonly [node: number, shape: RegExp])[];
  readonly #flagAt: ArrayLike<number>;
  readonly #anyNumber: number;
  #error = 0;

  constructor(table: WordWeights, { symbolOf, alsoAt, flagAt, anyNumber }: Phrases) {
    this.#anyNumber = anyNumber;
    this.#flagAt = flagAt;
    const numbers = new Map<string, number>();
    const numberOf = (word: string) => {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      numbers.set(word, numbers.size + 1);
      return numbers.size;
    };
    const nodeOf = (word: string, from = 0) => this.#edges.grow(from, numberOf(word));
    const weights: number[][] = [];
    const indexes = table.categories.map(([category]) => ERROR_CATEGORIES.indexOf(category));
    table.categories.forEach(([, always], row) => {
      this.#always[indexes[row] ?? 0] = always;
    });
    let head = 0;
    const parts = partsOf(table);
    for (let part = 0; part + 1 < parts.length; part += 2) {
      const [word = '', codes = NO_WEIGHT] = [parts[part], parts[part + 1]];
      const isPair = word.startsWith('_');
      const node = isPair ? nodeOf(word.slice(1), head) : nodeOf(word);
      if (!isPair) head = node;
      const own: number[] = [];
      for (let at = 0; at + 1 < codes.length; at += 2)
        own.push(
          indexes[codes.charCodeAt(at) - FIRST_LETTER] ?? 0,
          WEIGHT_STEP * Number.parseInt(codes.charAt(at + 1), 36),
        );
      weights[node] = own;
    }
    this.#first = nodeOf('^');
    this.#shapes = SHAPES.map(([name, shape]) => [nodeOf(name), shape]);
    this.#begins = new Int32Array(weights.length + 1);
    this.#metBy = new Int32Array(weights.length + 1);
    for (let node = 0; node < weights.length; node++) {
      this.#weights.push(...(weights[node] ?? []));
      this.#begins[node + 1] = this.#weights.length;
    }
    this.#nodeAt = new Int32Array(alsoAt.length);
    this.#numberAt = new Int32Array(alsoAt.length);
    for (const [word, number] of numbers) this.#numberAt[symbolOf(word)] = number;
    this.#numberAt[0] = 0;
    for (let symbol = 1; symbol < alsoAt.length; symbol++) {
      for (let other = symbol; other > 0 && this.#numberAt[symbol] === 0; other = alsoAt[other] ?? 0)
        this.#numberAt[symbol] = this.#numberAt[other] ?? 0;
      this.#nodeAt[symbol] = this.#edges.step(0, this.#numberAt[symbol] ?? 0);
    }
  }

  start(): void {
    this.#error++;
    this.scores.set(this.#always);
    this.support.fill(0);
    this.isSentence = false;
  }

  /** Adds a text that was cut into symbols. */
  add(text: string, symbols: readonly number[], length: number): void {
    for (const [node, shape] of this.#shapes) if (shape.test(text)) this.#addNode(node, 0);
    this.isSentence ||= SENTENCE.test(text);
    let before = this.#first;
    let negated = false;
    for (let at = 0; at < length; at++) {
      const symbol = symbols[at] ?? 0;
      const node = this.#nodeAt[symbol] ?? 0;
      const number = this.#numberAt[symbol] ?? 0;
      if (number > 0) {
        if (!negated && node > 0) this.#addNode(node, symbol === NAME || symbol === this.#anyNumber ? 0 : 1);
        const pair = before > 0 ? this.#edges.step(before, number) : 0;
        if (pair > 0) this.#addNode(pair, 0);
      }
      before = symbol === BREAK ? this.#first : node;
      negated = this.#flagAt[symbol] === NEGATOR;
    }
  }

  #addNode(node: number, support: 0 | 1): void {
    if (this.#metBy[node] === this.#error) return;
    this.#metBy[node] = this.#error;
    const end = this.#begins[node + 1] ?? 0;
    for (let at = this.#begins[node] ?? 0; at < end; at += 2) {
      const category = this.#weights[at] ?? 0;
      this.scores[category] = (this.scores[category] ?? 0) + (this.#weights[at + 1] ?? 0);
      this.support[category] = (this.support[category] ?? 0) + support;
    }
  }
}

/** The words of a table of weights, for `readPhrases`. */
export function weighedWords(weights: WordWeights): string[] {
  return partsOf(weights).flatMap((part, index) => {
    const word = part.replace('_', '');
    return index % 2 === 0 && /^[^:^]/.test(word) ? [word] : [];
  });
}

function partsOf({ words }: WordWeights): readonly string[] {
  return words.trim().split(/\s+/);
}
