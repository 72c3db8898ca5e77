import { fold, kindBeyondAscii, SIGN } from './characters.js';

// Codes of a cut text: 1 to 26 letters, 27 to 36 digits, units beyond ASCII as they are.
export const SPACE = 0;
/** Before the digits of a number, and of a number that is an HTTP status. */
export const NUMBER = 37;
export const STATUS_NUMBER = 38;
/** A word of its own: the end of a sentence or line, which phrases do not reach across. */
export const BREAK = 39;
/** A word of its own: an id, a path, a URL, a quoted name. No phrase contains it. */
export const NAME = 40;
// Edges that stand for no code: any ending of a word, up to `MAX_GAP` other words.
const STEM = 41;
const GAP = 42;
const WIDTH = 43;
const MAX_GAP = 6;

/** Flags of words that mean something to the cutter itself, in the order of `WORD_LISTS`. */
export const DROPPED = 1;
export const NEGATOR = 2;
export const STATUS = 3;
export const LOOSE_STATUS = 4;
export const OTHER_KEY = 5;

// Left out, so that `the limit has been exceeded` reads like `limit exceeded`.
const DROPPED_WORDS =
  'a an the is are was were be been being has have had your you this that of to for in on at by it its we our us i please el la los las se ha una un der die das den dem ist wurde le les est ete o os foi da'.split(
    ' ',
  );

const WORD_LISTS = [
  DROPPED_WORDS,
  // What comes after it did not happen: `not a timeout`.
  'no not never without nor isnt wasnt'.split(' '),
  // A number from 400 to 599 after it is an HTTP status.
  'status code http statuscode'.split(' '),
  // The same, unless a noun follows: `failed with 429 errors`.
  'error returned got said response responded answered replied with received failed gave err'.split(' '),
  // Keys of JSON whose value is not about the error.
  'prompt query input url path param id name file instance documentation'.split(' '),
];

/** A text as codes: the words one after another, a space after each. */
export interface CutText {
  readonly codes: readonly number[];
  /** Where each word begins in `codes`; at the end, where one more would. */
  readonly starts: readonly number[];
  /** Which words are negators; few. */
  readonly negators: readonly number[];
}

/**
 * The phrases of all rules in one tree over letters, in flat arrays: an edge is one look-up. Phrases are parted by commas.
 * A phrase is a list of words in order: `a|b` is either, `stem*` any ending, `..` up to six words between, `#` any number,
 * `#137` that number, `!429` that HTTP status.
 */
export class PhraseTree {
  private edges = new Uint16Array(WIDTH * 8192);
  private readonly beyond = new Map<number, number>();
  private readonly ruleAt: (number | undefined)[] = [];
  private readonly flagAt: (number | undefined)[] = [];
  private nodes = 1;

  /** `rules[i]` holds the phrases of rule i. Where two rules share a phrase the earlier one has it. */
  constructor(rules: readonly string[]) {
    WORD_LISTS.forEach((words, index) => {
      for (const word of words) this.flagAt[this.growWord(0, word)] = index + 1;
    });
    rules.forEach((phrases, rule) => {
      for (const phrase of fold(phrases).split(',')) this.add(phrase.trim().split(' '), rule);
    });
  }

  step(node: number, code: number): number {
    return (code < WIDTH ? this.edges[node * WIDTH + code] : this.beyond.get(node * 65_536 + code)) ?? 0;
  }

  /** What a whole word means to the cutter; 0 for most. */
  flag(node: number): number {
    return this.flagAt[node] ?? 0;
  }

  /** Reports the rules with a phrase in a cut text. Work grows with the length of the text and nothing else. */
  find(text: CutText, onRule: (rule: number) => void): void {
    const last = text.starts.length - 1;
    for (let word = 0, negated = false; word < last; word++) {
      if (!negated) this.follow(0, text, word, onRule);
      negated = text.negators.includes(word);
    }
  }

  private follow(from: number, text: CutText, word: number, onRule: (rule: number) => void): void {
    const end = (text.starts[word + 1] ?? 0) - 1;
    let node = from;
    for (let at = text.starts[word] ?? end; at < end; at++) {
      const stem = this.step(node, STEM);
      if (stem > 0) this.go(stem, text, word, onRule);
      node = this.step(node, text.codes[at] ?? NAME);
      if (node === 0) return;
    }
    const stem = this.step(node, STEM);
    if (stem > 0) this.go(stem, text, word, onRule);
    this.go(node, text, word, onRule);
  }

  /** From the end of a word to what may come after it. */
  private go(node: number, text: CutText, word: number, onRule: (rule: number) => void): void {
    const rule = this.ruleAt[node];
    if (rule !== undefined) onRule(rule);
    const next = this.step(node, SPACE);
    const last = text.starts.length - 1;
    if (next === 0 || word + 1 >= last) return;
    this.follow(next, text, word + 1, onRule);
    const gap = this.step(next, GAP);
    if (gap === 0) return;
    const limit = Math.min(last, word + 2 + MAX_GAP);
    for (let other = word + 1; other < limit && text.codes[text.starts[other] ?? 0] !== BREAK; other++) {
      this.follow(gap, text, other, onRule);
    }
  }

  private add(parts: readonly string[], rule: number): void {
    let ends = [0];
    let glued = true;
    for (const part of parts) {
      const words = part.split('|').filter((word) => !DROPPED_WORDS.includes(word));
      if (words.length === 0) continue;
      const starts = glued ? ends : ends.map((node) => this.grow(node, SPACE));
      glued = part === '..';
      ends = starts.flatMap((node) => (glued ? this.grow(node, GAP) : words.map((word) => this.growWord(node, word))));
    }
    for (const node of ends) this.ruleAt[node] ??= rule;
  }

  private growWord(from: number, word: string): number {
    let node = from;
    for (const char of word) {
      const unit = char.charCodeAt(0);
      if (node !== from && kindBeyondAscii(unit) === SIGN) node = this.grow(node, SPACE);
      node = this.grow(node, char === '*' ? STEM : char === '#' ? NUMBER : char === '!' ? STATUS_NUMBER : codeOf(unit));
    }
    return word === '#' ? this.grow(node, STEM) : node;
  }

  private grow(node: number, code: number): number {
    let next = this.step(node, code);
    if (next > 0) return next;
    next = this.nodes++;
    if (this.nodes * WIDTH > this.edges.length) {
      const larger = new Uint16Array(this.edges.length * 2);
      larger.set(this.edges);
      this.edges = larger;
    }
    if (code < WIDTH) this.edges[node * WIDTH + code] = next;
    else this.beyond.set(node * 65_536 + code, next);
    return next;
  }
}

/** The code of a letter or digit, in any case. */
export function codeOf(unit: number): number {
  if (unit >= 97) return unit < 123 ? unit - 96 : unit >= 0x410 && unit < 0x430 ? unit + 32 : unit; // Cyrillic capitals
  return unit >= 65 ? unit - 64 : unit - 21;
}
