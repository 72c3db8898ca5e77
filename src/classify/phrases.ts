import { fold } from './characters.js';
import { type Edges, growingEdges } from './edges.js';
import { COMMA, Lexicon, LINE, OR } from './lexicon.js';

/**
 * Symbols that are not words: a gap of up to six other words, and the end of a sentence or line, which ends a phrase.
 */
export const GAP = 1;
export const BREAK = 2;
/** A path, URL, id or quoted name. */
export const NAME = 3;

/** Flags of words with a meaning for the tokenizer, in the order of `WORD_LISTS`. */
export const DROPPED = 1;
export const NEGATOR = 2;
export const STATUS = 3;
export const LOOSE_STATUS = 4;
export const OTHER_KEY = 5;

const WORD_LISTS = [
  // Ignored, so that `the limit has been exceeded` reads like `limit exceeded`.
  'a an the is are was were be been being has have had your you this that of to for in on at by it its we our us i please el la los las se ha una un de del der die das den dem ist wurde le les des du est ete o os foi da',
  // Negates the next phrase: `not a timeout`.
  'not no never without nor isnt wasnt',
  // A number from 400 to 599 after it is an HTTP status.
  'status code http statuscode',
  // The same, unless a noun follows: `failed with 429 errors`.
  'error returned got said response responded answered with received failed gave',
  // JSON keys whose value is unrelated to the error.
  'prompt query input url path param id name file instance',
];

/** Index of the phrases of all rules, searched word by word. */
export interface Phrases {
  /** Returns the symbol of a word with this hash, or 0. Avoids creating a string for most words. */
  readonly hashSymbol: (hash: number) => number;
  /** Returns the symbol of a lower-case word, or of its singular or longest stem, or 0. */
  readonly wordSymbol: (word: string) => number;
  /** Returns the symbol of exactly this word of the phrases, or 0. */
  readonly symbolOf: (word: string) => number;
  /** The symbol of any number, `#`. */
  readonly anyNumber: number;
  /** Returns the symbol of a specific number such as `#137`, else that of any number. Returns 0 for the number 0. */
  readonly numberSymbol: (value: number) => number;
  /** Returns the symbol of an HTTP status, or 0. */
  readonly statusSymbol: (status: number) => number;
  /** Returns the other reading of a symbol: its singular, or the next shorter stem, or 0. */
  readonly otherReading: (symbol: number) => number;
  /** Tokenizer flag of each symbol; 0 for most. */
  readonly flagAt: Uint8Array;
  /** Other words that got a symbol, in their order, with the separators between them. */
  readonly others: Int32Array;
  /** Returns the next node of a phrase, 0 for none. Phrases begin at node 0. */
  readonly step: (node: number, symbol: number) => number;
  /** Index of the rule whose phrase ends at a node, or -1. */
  readonly ruleAt: readonly number[];
}

/**
 * Parses the phrases of rules. `rules[i]` holds those of rule i, separated by commas. If two rules share a phrase, the
 * earlier rule gets it. A phrase is a list of words in order: `a|b` is either, `stem*` any ending, `..` up to six words
 * between. `#` is any number but 0, `#137` that number, `!429` that HTTP status, `@` a path, URL, id or quoted name. A
 * word also matches its plural; a plural matches only the plural. `others` is a list of words that get a symbol, too.
 */
export function readPhrases(rules: readonly string[], others = ''): Phrases {
  const firstRule = 1 + WORD_LISTS.length;
  // The words of the first line get the symbols of GAP, BREAK and NAME.
  const lines = ['..|;|@', ...WORD_LISTS, ...rules, others];
  const lexicon = new Lexicon(fold(lines.join('\n'), Number.POSITIVE_INFINITY));
  const lineOf = (index: number) => lexicon.code.subarray(lexicon.lines[index], lexicon.lines[index + 1]);
  const flagAt = new Uint8Array(lexicon.size);
  for (let flag = 1; flag < firstRule; flag++) for (const symbol of lineOf(flag)) flagAt[symbol] = flag;
  const ends = lexicon.lines.slice(firstRule + 1, firstRule + 1 + rules.length);
  return {
    ...phraseTree(lexicon.code, { from: lexicon.lines[firstRule] ?? 0, ends }, flagAt),
    ...numberReader(lexicon, rules),
    hashSymbol: (hash) => lexicon.symbolOf(hash),
    wordSymbol: (word) => lexicon.findSimilar(word),
    symbolOf: (word) => lexicon.find(word),
    otherReading: (symbol) => lexicon.otherReading(symbol),
    flagAt,
    others: lineOf(firstRule + rules.length),
  };
}

/** Creates functions that read the numbers of texts. */
function numberReader(lexicon: Lexicon, rules: readonly string[]) {
  const anyNumber = lexicon.find('#');
  const numbers = new Map<number, number>();
  for (const [word, digits] of rules.join().matchAll(/#(\d+)/g)) numbers.set(Number(digits), lexicon.find(word));
  return {
    anyNumber,
    numberSymbol: (value: number) => numbers.get(value) ?? (value === 0 ? 0 : anyNumber),
    statusSymbol: (status: number) => lexicon.find(`!${status}`),
  };
}

/** Part of a code that holds the phrases of rules: where it starts, and where each rule ends. */
interface RuleRange {
  readonly from: number;
  readonly ends: readonly number[];
}

/** Creates the tree of phrases. They are added when a text contains their first word, because a process meets few. */
function phraseTree(code: Int32Array, range: RuleRange, flagAt: Uint8Array) {
  const edges = growingEdges();
  const ruleAt = [-1];
  const { lastAt, otherAt } = phrasesByFirst(code, range, flagAt);
  /** Adds the phrase at this place of the code, limited to readings whose first word is `first`. */
  const addPhrase = (first: number, start: number) => {
    let at = start;
    let heads: readonly number[] = [0];
    while (true) {
      const { ends, separator, next } = growPart(edges, code, at, heads, first, flagAt);
      if (ends.length > 0) heads = ends;
      if (separator <= COMMA) break;
      at = next;
    }
    const rule = range.ends.findIndex((end) => start < end);
    markEnds(ruleAt, heads, rule);
  };
  const firstStep = (symbol: number) => {
    for (let at = lastAt[symbol] ?? 0; at > 0; at = otherAt[at] ?? 0) {
      let start = at;
      while ((code[start - 1] ?? COMMA) > COMMA) start--;
      addPhrase(symbol, start);
    }
    lastAt[symbol] = 0;
    return edges.step(0, symbol);
  };
  const step = (node: number, symbol: number) => (node === 0 ? firstStep(symbol) : edges.step(node, symbol));
  return { ruleAt, step };
}

/**
 * Returns two linked lists of places in the code. `lastAt` holds the last phrase that may begin with a symbol,
 * `otherAt` the previous one; 0 for none.
 */
function phrasesByFirst(code: Int32Array, { from, ends }: RuleRange, flagAt: Uint8Array) {
  const lastAt = new Int32Array(flagAt.length);
  const otherAt = new Int32Array(code.length);
  const to = ends.at(-1) ?? 0;
  let isFirst = true;
  let isInside = false;
  for (let at = from; at < to; at++) {
    const symbol = code[at] ?? LINE;
    if (symbol < 0) {
      isFirst = symbol <= COMMA || (isFirst && (symbol === OR || !isInside));
      isInside = false;
    } else if (flagAt[symbol] !== DROPPED) {
      if (isFirst && !isInside) {
        otherAt[at] = lastAt[symbol] ?? 0;
        lastAt[symbol] = at;
      }
      isInside = true;
    }
  }
  return { lastAt, otherAt };
}

/**
 * Adds one part of a phrase, `a|b c`, behind the nodes `heads`. Returns the nodes at its end, the separator that ends it
 * and the place after that. At the start of a phrase it skips the alternatives that begin with another word than `first`.
 */
function growPart(
  edges: Edges,
  code: Int32Array,
  from: number,
  heads: readonly number[],
  first: number,
  flagAt: Uint8Array,
) {
  const isStart = heads[0] === 0;
  let ends: readonly number[] = [];
  /** Nodes that the current alternative has reached. */
  let reached: readonly number[] = heads;
  let isSkipped = false;
  for (let at = from; ; at++) {
    const symbol = code[at] ?? LINE;
    if (symbol > 0) {
      if (flagAt[symbol] === DROPPED) continue;
      isSkipped ||= isStart && reached === heads && symbol !== first;
      if (!isSkipped) reached = reached.map((node) => edges.grow(node, symbol));
      continue;
    }
    if (reached !== heads) ends = ends.concat(reached);
    if (symbol !== OR) return { ends, separator: symbol, next: at + 1 };
    reached = heads;
    isSkipped = false;
  }
}

/** Notes the rule at the last nodes of its phrase. An earlier rule keeps its place. */
function markEnds(ruleAt: number[], nodes: readonly number[], rule: number): void {
  for (const node of nodes) {
    while (ruleAt.length <= node) ruleAt.push(-1);
    const other = ruleAt[node] ?? -1;
    if (other === -1 || rule < other) ruleAt[node] = rule;
  }
}
