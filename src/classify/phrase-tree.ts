import { fold, kindOf, SIGN } from './characters.js';

// Codes of a cut text: 1 to 26 letters, 27 to 36 digits, units beyond ASCII as they are.
export const SPACE = 0;
/** Before the digits of a number, and of a number that is an HTTP status. */
export const NUMBER = 37;
export const STATUS_NUMBER = 38;
/** A word of its own: the end of a sentence or line, which phrases do not reach across. */
export const BREAK = 39;
/** A word of its own: an id, a path, a URL, a quoted name. No phrase contains it. */
export const NAME = 40;
// Edges that stand for no code: any ending of a word; up to six other words.
export const STEM = 41;
export const GAP = 42;

/** Flags of words that mean something to the word cutter, in the order of `WORD_LISTS`. */
export const DROPPED = 1;
export const NEGATOR = 2;
export const STATUS = 3;
export const LOOSE_STATUS = 4;
export const OTHER_KEY = 5;

/** Left out, so that `the limit has been exceeded` reads like `limit exceeded`. */
const DROPPED_WORDS = words(
  'a an the is are was were be been being has have had your you this that of to for in on at by it its we our us i please el la los las se ha una un de del der die das den dem ist wurde le les des du est ete o os foi da',
);

const WORD_LISTS = [
  DROPPED_WORDS,
  // What comes after it did not happen: `not a timeout`.
  words('no not never without nor isnt wasnt'),
  // A number from 400 to 599 after it is an HTTP status.
  words('status code http statuscode'),
  // The same, unless a noun follows: `failed with 429 errors`.
  words('error returned got said response responded answered with received failed gave'),
  // Keys of JSON whose value is not about the error.
  words('prompt query input url path param id name file instance'),
];

/** The phrases of all rules in one tree over letters. Node 0 is the root; as the end of an edge it means that there is none. */
export interface PhraseTree {
  readonly step: (node: number, code: number) => number;
  /** Where the edge `STEM` leads. */
  readonly stemAt: Uint16Array;
  /** Index of the rule whose phrase ends at the node, or -1. */
  readonly ruleAt: Int16Array;
  /** What the word that ends at the node means to the cutter; 0 for most. */
  readonly flagAt: Uint8Array;
}

/** Room for the built-in table twice over. */
const MAX_NODES = 32_768;

/**
 * `rules[i]` holds the phrases of rule i, parted by commas. Where two rules share a phrase the earlier one has it.
 * A phrase is a list of words in order: `a|b` is either, `stem*` any ending, `..` up to six words between, `#` any number,
 * `#137` that number, `!429` that HTTP status.
 */
export function growTree(rules: readonly string[]): PhraseTree {
  // Children as linked lists in flat arrays: small enough to stay in the processor's cache, which is what a step costs.
  const codeAt = new Uint16Array(MAX_NODES);
  const childAt = new Uint16Array(MAX_NODES);
  const siblingAt = new Uint16Array(MAX_NODES);
  /** The root has hundreds of children, so these are looked up. */
  const roots = new Uint16Array(65_536);
  const stemAt = new Uint16Array(MAX_NODES);
  const ruleAt = new Int16Array(MAX_NODES).fill(-1);
  const flagAt = new Uint8Array(MAX_NODES);
  let nodes = 1;

  const step = (node: number, code: number) => {
    if (node === 0) return roots[code] ?? 0;
    let child = childAt[node] ?? 0;
    while (child > 0 && codeAt[child] !== code) child = siblingAt[child] ?? 0;
    return child;
  };

  const grow = (node: number, code: number) => {
    const known = step(node, code);
    if (known > 0) return known;
    codeAt[nodes] = code;
    if (node === 0) roots[code] = nodes;
    else {
      siblingAt[nodes] = childAt[node] ?? 0;
      childAt[node] = nodes;
    }
    if (code === STEM) stemAt[node] = nodes;
    return nodes++;
  };

  const growWord = (from: number, word: string) => {
    let node = from;
    for (const char of word) {
      const unit = char.charCodeAt(0);
      if (node !== from && kindOf(unit) === SIGN) node = grow(node, SPACE);
      node = grow(node, char === '*' ? STEM : char === '#' ? NUMBER : char === '!' ? STATUS_NUMBER : codeOf(unit));
    }
    return word === '#' ? grow(node, STEM) : node;
  };

  WORD_LISTS.forEach((list, index) => {
    for (const word of list) flagAt[growWord(0, word)] = index + 1;
  });
  rules.forEach((phrases, rule) => {
    for (const phrase of fold(phrases).split(',')) {
      let ends = [0];
      let glued = true;
      for (const part of words(phrase.trim())) {
        const kept = part.split('|').filter((word) => !DROPPED_WORDS.includes(word));
        if (kept.length === 0) continue;
        const starts = glued ? ends : ends.map((node) => grow(node, SPACE));
        glued = part === '..';
        ends = starts.flatMap((node) => (glued ? grow(node, GAP) : kept.map((word) => growWord(node, word))));
      }
      for (const node of ends) if ((ruleAt[node] ?? 0) < 0) ruleAt[node] = rule;
    }
  });
  return { step, stemAt, ruleAt, flagAt };
}

/** The code of a letter, of either case, or digit. */
export function codeOf(unit: number): number {
  if (unit >= 97) return unit < 123 ? unit - 96 : unit >= 0x410 && unit < 0x430 ? unit + 32 : unit; // Cyrillic capitals
  return unit >= 65 ? unit - 64 : unit - 21;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
