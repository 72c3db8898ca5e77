import { ERROR_CATEGORIES, type ErrorCategory } from '../contract/issue.js';
import { growingEdges } from './edges.js';
import { OR } from './lexicon.js';
import { BREAK, NAME, NEGATOR, type Phrases } from './phrases.js';

/** Weight of each word for each category. */
export interface WordWeights {
  /** Score of each category before any word. */
  readonly categories: readonly (readonly [category: ErrorCategory, always: number])[];
  /** Words with a weight; after each of them, separated by `|`, the next words that form a weighed pair with it. */
  readonly words: string;
  /**
   * Weights of the words and pairs, in the same order. In `3a1cd`, the first category (`a`) weighs three steps, the
   * third and the fourth one step each.
   */
  readonly weights: string;
}

/** Step of a weight. */
export const WEIGHT_STEP = 0.5;
/** Letter of the first category. */
export const FIRST_LETTER = 97;
const ZERO = 48;
/** Room for all words and pairs from the start. */
const EDGE_BITS = 13;

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
  readonly #edges = growingEdges(EDGE_BITS);
  /** Weights of the nodes from 1 on, as they are written, and the category of each letter in them. */
  readonly #weights: readonly string[];
  readonly #indexes: readonly number[];
  /** By node: which error met it last. */
  readonly #metBy: Int32Array;
  /** By symbol: its reading that has weights, alone or in a pair. 0 for none, -1 until it is needed. */
  readonly #weighedAt: Int32Array;
  /** By symbol: the node of that reading. */
  readonly #nodeAt: Int32Array;
  readonly #otherReading: Phrases['otherReading'];
  readonly #first: number;
  readonly #shapes: readonly (readonly [node: number, shape: RegExp])[];
  readonly #flagAt: ArrayLike<number>;
  readonly #anyNumber: number;
  #error = 0;

  constructor({ categories, weights }: WordWeights, { symbolOf, otherReading, flagAt, anyNumber, others }: Phrases) {
    this.#anyNumber = anyNumber;
    this.#flagAt = flagAt;
    this.#otherReading = otherReading;
    this.#weighedAt = new Int32Array(flagAt.length).fill(-1);
    this.#weighedAt[0] = 0;
    this.#nodeAt = new Int32Array(flagAt.length);
    this.#indexes = categories.map(([category]) => ERROR_CATEGORIES.indexOf(category));
    categories.forEach(([, always], row) => {
      this.#always[this.#indexes[row] ?? 0] = always;
    });
    this.#weights = weights.split(' ');
    this.#metBy = new Int32Array(this.#weights.length + 1);
    this.#growNodes(others);
    this.#first = this.#edges.step(0, symbolOf('^'));
    this.#shapes = SHAPES.map(([name, shape]) => [this.#edges.step(0, symbolOf(name)), shape]);
  }

  /** Creates the nodes of words and pairs, numbered in the order of their weights. */
  #growNodes(words: Int32Array): void {
    let head = 0;
    let isSecond = false;
    for (const symbol of words) {
      if (symbol < 0) {
        isSecond = symbol === OR;
        continue;
      }
      this.#weighedAt[symbol] = symbol;
      const node = this.#edges.grow(isSecond ? head : 0, symbol);
      if (isSecond) continue;
      head = node;
      this.#nodeAt[symbol] = node;
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
      const weighed = this.#weighedReading(symbol);
      const node = this.#nodeAt[symbol] ?? 0;
      if (node > 0 && !negated) this.#addNode(node, this.#supportOf(symbol));
      if (weighed > 0 && before > 0) this.#addNode(this.#edges.step(before, weighed), 0);
      before = symbol === BREAK ? this.#first : node;
      negated = this.#flagAt[symbol] === NEGATOR;
    }
  }

  /** Names and numbers are no words, so they do not support a category. */
  #supportOf(symbol: number): 0 | 1 {
    return symbol === NAME || symbol === this.#anyNumber ? 0 : 1;
  }

  /** Returns the first reading of a symbol that has weights, or 0. */
  #weighedReading(symbol: number): number {
    const known = this.#weighedAt[symbol] ?? 0;
    if (known >= 0) return known;
    const weighed = this.#weighedReading(this.#otherReading(symbol));
    this.#weighedAt[symbol] = weighed;
    this.#nodeAt[symbol] = this.#edges.step(0, weighed);
    return weighed;
  }

  /** Adds the weights of a node; none for node 0. */
  #addNode(node: number, support: 0 | 1): void {
    if (node === 0 || this.#metBy[node] === this.#error) return;
    this.#metBy[node] = this.#error;
    const weights = this.#weights[node - 1] ?? '';
    let weight = 0;
    for (let at = 0; at < weights.length; at++) {
      const unit = weights.charCodeAt(at);
      if (unit < FIRST_LETTER) {
        weight = WEIGHT_STEP * (unit - ZERO);
        continue;
      }
      const category = this.#indexes[unit - FIRST_LETTER] ?? 0;
      this.scores[category] = (this.scores[category] ?? 0) + weight;
      this.support[category] = (this.support[category] ?? 0) + support;
    }
  }
}
