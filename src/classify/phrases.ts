import { fold } from './characters.js';
import { type Edges, growingEdges } from './edges.js';

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
  /** Returns the symbol of a lower-case word, or of its longest stem, or 0. */
  readonly wordSymbol: (word: string) => number;
  /** Returns the symbol of exactly this word of the phrases, or 0. */
  readonly symbolOf: (word: string) => number;
  /** Returns the symbol of a Chinese, Japanese or Korean character, or 0. */
  readonly signSymbol: (sign: string) => number;
  /** The symbol of any number, `#`. */
  readonly anyNumber: number;
  /** Returns the symbol of a specific number such as `#137`, else that of any number. Returns 0 for the number 0. */
  readonly numberSymbol: (value: number) => number;
  /** Returns the symbol of an HTTP status, or 0. */
  readonly statusSymbol: (status: number) => number;
  /** Alternative reading of each symbol: its singular, or the next shorter stem, or 0. */
  readonly alsoAt: Int32Array;
  /** Tokenizer flag of each symbol; 0 for most. */
  readonly flagAt: Uint8Array;
  /** Returns the next node of a phrase, 0 for none. Phrases begin at node 0. */
  readonly step: (node: number, symbol: number) => number;
  /** Index of the rule whose phrase ends at a node, or -1. */
  readonly ruleAt: readonly number[];
}

/** Parts of phrases: gaps, names, numbers, characters, words or stems, and separators. */
const PARTS = /\.\.|@|[#!]\d*|[\u1100-\u11ff\u3041-\uabff]|[\p{L}\p{N}^]+\*?|[ |,]/gu;
/** Separators as numbers besides symbols. `END` minus n is the end of a phrase of rule n. */
const OR = -1;
const NEXT = -2;
const END = -3;

/**
 * Parses the phrases of rules. `rules[i]` holds those of rule i, separated by commas. If two rules share a phrase, the
 * earlier rule gets it. A phrase is a list of words in order: `a|b` is either, `stem*` any ending, `..` up to six words
 * between. `#` is any number but 0, `#137` that number, `!429` that HTTP status, `@` a path, URL, id or quoted name. A
 * word also matches its plural; a plural matches only the plural. `others` are additional words that get a symbol,
 * though no phrase contains them.
 */
export function readPhrases(rules: readonly string[], others: readonly string[] = []): Phrases {
  const { symbols, code, flagAt } = readSymbols(rules.map(fold), others);
  const edges = growingEdges();
  const ruleAt = [-1];
  /** Adds the phrase at this place of the code, limited to readings whose first word is `first`. */
  const addPhrase = (first: number, start: number) => {
    let at = start;
    let heads: readonly number[] = [0];
    while (true) {
      const { ends, separator, next } = growPart(edges, code, at, heads, first);
      if (ends.length > 0) heads = ends;
      if (separator <= END) {
        markEnds(ruleAt, heads, END - separator);
        return;
      }
      at = next;
    }
  };

  /** Phrases are added lazily when a text contains their first word, because a process meets few of them. */
  const { lastAt, otherAt } = phrasesByFirst(code, flagAt.length);
  const firstStep = (symbol: number) => {
    for (let at = lastAt[symbol] ?? 0; at > 0; at = otherAt[at] ?? 0) {
      let start = at;
      while ((code[start - 1] ?? END) > END) start--;
      addPhrase(symbol, start);
    }
    lastAt[symbol] = 0;
    return edges.step(0, symbol);
  };
  return {
    ...wordReader(symbols),
    ...numberReader(symbols),
    signSymbol: (sign) => symbols.get(sign) ?? 0,
    symbolOf: (word) => symbols.get(word) ?? 0,
    flagAt: Uint8Array.from(flagAt),
    ruleAt,
    step: (node, symbol) => (node === 0 ? firstStep(symbol) : edges.step(node, symbol)),
  };
}

/**
 * Adds one part of a phrase, `a|b c`, behind the nodes `heads`. Returns the nodes at its end, the separator that ends it
 * and the place after that. At the start of a phrase it skips the alternatives that begin with another word than `first`.
 */
function growPart(edges: Edges, code: ArrayLike<number>, from: number, heads: readonly number[], first: number) {
  const isStart = heads[0] === 0;
  let ends: readonly number[] = [];
  /** Nodes that the current alternative has reached. */
  let reached: readonly number[] = heads;
  let isSkipped = false;
  for (let at = from; ; at++) {
    const symbol = code[at] ?? END;
    if (symbol > 0) {
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

/** Assigns a symbol to each word. Returns all phrases as symbols and separators. */
function readSymbols(rules: readonly string[], others: readonly string[]) {
  const symbols = new Map([
    [' ', NEXT],
    ['|', OR],
    ['..', GAP],
    ['@', NAME],
  ]);
  const flagAt = [0, 0, 0, 0];
  const symbolOf = (part: string) => {
    const known = symbols.get(part);
    if (known !== undefined) return known;
    const symbol = flagAt.push(0) - 1;
    symbols.set(part, symbol);
    return symbol;
  };
  WORD_LISTS.forEach((words, index) => {
    for (const word of words.split(' ')) flagAt[symbolOf(word)] = index + 1;
  });
  const code = new Int32Array(rules.reduce((sum, { length }) => sum + length + 1, 1));
  let at = 0;
  code[at++] = END;
  rules.forEach((phrases, rule) => {
    for (const part of phrases.match(PARTS) ?? []) {
      const symbol = part === ',' ? END - rule : symbolOf(part);
      if (symbol < 0 || flagAt[symbol] !== DROPPED) code[at++] = symbol;
    }
    code[at++] = END - rule;
  });
  others.forEach(symbolOf);
  return { symbols, code: code.subarray(0, at), flagAt };
}

/**
 * Returns two linked lists of places in the code. `lastAt` holds the last phrase that may begin with a symbol,
 * `otherAt` the previous one; 0 for none.
 */
function phrasesByFirst(code: Int32Array, symbols: number) {
  const lastAt = new Int32Array(symbols);
  const otherAt = new Int32Array(code.length);
  let isFirst = true;
  for (let at = 1; at < code.length; at++) {
    const symbol = code[at] ?? END;
    const before = code[at - 1] ?? END;
    if (symbol <= END) isFirst = true;
    else if (symbol === NEXT) isFirst &&= before < 0;
    else if (symbol > 0 && isFirst && before < 0) {
      otherAt[at] = lastAt[symbol] ?? 0;
      lastAt[symbol] = at;
    }
  }
  return { lastAt, otherAt };
}

/** Creates functions that read the words of texts. */
function wordReader(symbols: ReadonlyMap<string, number>) {
  /** Stems by their first two letters. */
  const stems: (string[] | undefined)[] = Array.from({ length: 1024 }, () => undefined);
  for (const word of symbols.keys()) {
    if (!word.endsWith('*')) continue;
    const slot = stemSlot(word);
    const others = stems[slot];
    if (others) others.push(word.slice(0, -1));
    else stems[slot] = [word.slice(0, -1)];
  }
  /** Returns the symbol of the longest stem shorter than `below` that a word begins with, or 0. */
  const stemOf = (word: string, below = Number.POSITIVE_INFINITY) => {
    const candidates = stems[stemSlot(word)];
    if (!candidates) return 0;
    let longest = '';
    for (const stem of candidates)
      if (stem.length < below && stem.length > longest.length && word.startsWith(stem)) longest = stem;
    return longest === '' ? 0 : (symbols.get(`${longest}*`) ?? 0);
  };
  const shorterOf = (word: string) => {
    const end = word.length - 1;
    const isPlural = end > 2 && word.charCodeAt(end) === S && isLetter(word.charCodeAt(end - 1));
    return (isPlural ? symbols.get(word.slice(0, end)) : 0) || stemOf(word);
  };
  const alsoAt = new Int32Array(symbols.size);
  symbols.forEach((symbol, word) => {
    if (symbol < 0) return;
    if (/^#[1-9]/.test(word)) alsoAt[symbol] = symbols.get('#') ?? 0;
    else alsoAt[symbol] = word.endsWith('*') ? stemOf(word, word.length - 1) : shorterOf(word);
  });
  return {
    hashSymbol: hashReader(symbols),
    wordSymbol: (word: string) => symbols.get(word) ?? shorterOf(word),
    alsoAt,
  };
}

/** Initial value and multiplier of the word hash (FNV-1a). */
export const HASH_START = 0x2f0b4c47;
export const HASH_PRIME = 0x01000193;

/**
 * Creates a look-up of words of the letters a to z by hash alone. About one in two million unknown words matches a
 * known one. This is no security risk: a crafted text could just as well contain the known words.
 */
function hashReader(symbols: ReadonlyMap<string, number>): (hash: number) => number {
  let bits = 11;
  while (1 << bits < 4 * symbols.size) bits++;
  const keys = new Int32Array(1 << bits);
  const values = new Int32Array(1 << bits);
  const slotOf = (hash: number) => {
    let slot = (hash ^ (hash >>> 15)) & (keys.length - 1);
    while (keys[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (keys.length - 1);
    return slot;
  };
  symbols.forEach((symbol, word) => {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) {
      const unit = word.charCodeAt(at);
      if (unit < 97 || unit > 122) return;
      hash = Math.imul(hash ^ unit, HASH_PRIME);
    }
    const slot = slotOf(hash);
    keys[slot] = hash;
    values[slot] = symbol;
  });
  return (hash) => values[slotOf(hash)] ?? 0;
}

/** Creates functions that read the numbers of texts. */
function numberReader(symbols: ReadonlyMap<string, number>) {
  const numbers = new Map<number, number>();
  const statuses = new Map<number, number>();
  for (const [word, symbol] of symbols) {
    if (/^#\d/.test(word)) numbers.set(Number(word.slice(1)), symbol);
    else if (word.startsWith('!')) statuses.set(Number(word.slice(1)), symbol);
  }
  const anyNumber = symbols.get('#') ?? 0;
  return {
    anyNumber,
    numberSymbol: (value: number) => numbers.get(value) ?? (value === 0 ? 0 : anyNumber),
    statusSymbol: (status: number) => statuses.get(status) ?? 0,
  };
}

const S = 115;

function stemSlot(word: string): number {
  return (word.charCodeAt(0) & 31) * 32 + (word.charCodeAt(1) & 31);
}

/** Returns whether a plural `s` may follow this letter. */
function isLetter(unit: number): boolean {
  return unit > 96 && unit < 123 && unit !== S;
}
