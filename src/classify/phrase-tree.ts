import { fold, kindOf, SIGN } from './characters.js';

/** Symbols that stand for no word: up to six other words; the end of a sentence or line, which phrases do not reach across. */
export const GAP = 1;
export const BREAK = 2;
/** A path, URL, id or quoted name. */
export const NAME = 3;

/** Where the spelling of a word begins; node 0 leads nowhere but to itself. */
const LATIN = 1;
const CYRILLIC = 2;
export const NUMBER = 3;
export const STATUS_NUMBER = 4;

/** Flags of words that mean something to the word cutter, in the order of `WORD_LISTS`. */
export const DROPPED = 1;
export const NEGATOR = 2;
export const STATUS = 3;
export const LOOSE_STATUS = 4;
export const OTHER_KEY = 5;

const WORD_LISTS = [
  // Left out, so that `the limit has been exceeded` reads like `limit exceeded`.
  'a an the is are was were be been being has have had your you this that of to for in on at by it its we our us i please el la los las se ha una un de del der die das den dem ist wurde le les des du est ete o os foi da',
  // What comes after it did not happen: `not a timeout`.
  'not no never without nor isnt wasnt',
  // A number from 400 to 599 after it is an HTTP status.
  'status code http statuscode',
  // The same, unless a noun follows: `failed with 429 errors`.
  'error returned got said response responded answered with received failed gave',
  // Keys of JSON whose value is not about the error.
  'prompt query input url path param id name file instance',
];

/** What phrases are looked up with: words by their letters, phrases by their words. */
export interface PhraseTree {
  /** `spelling[node * 32 + (unit & 31)]` is the next node of a word: letters of either case lie at the same place. */
  readonly spelling: Uint16Array;
  /** The symbol of the word that ends at a node, and that of the longest stem on the way to it; 0 for none. */
  readonly wordAt: Uint16Array;
  readonly stemAt: Uint16Array;
  /** The symbol of a Chinese, Japanese or Korean sign. */
  readonly signs: Uint16Array;
  /** What else a word with this symbol is: the next shorter stem. */
  readonly alsoAt: Uint16Array;
  /** What a symbol means to the cutter; 0 for most. */
  readonly flagAt: Uint8Array;
  /** The next node of a phrase, 0 for none. Phrases begin at node 0. */
  readonly step: (node: number, symbol: number) => number;
  /** Index of the rule whose phrase ends at a node, or -1. */
  readonly ruleAt: Int16Array;
}

// Characters that mean something in a phrase, and those that letters and digits come after.
const BLANK = 32;
const BANG = 33;
const HASH = 35;
const STAR = 42;
const COMMA = 44;
const DOT = 46;
const DIGITS = 48;
const AT = 64;
const A = 97;
const S = 115;
const BAR = 124;

/** Room for the built-in table twice over. */
const MAX_NODES = 16_384;
const MAX_SYMBOLS = 8192;
/** Slots of the edges, 2 to the 14th, and the odd number near 2^32 / 1.618 that spreads keys over them (Knuth's). */
const SLOTS = 16_384;
const SPREAD = 0x9e3779b1;

/**
 * `rules[i]` holds the phrases of rule i, parted by commas. Where two rules share a phrase the earlier one has it.
 * A phrase is a list of words in order: `a|b` is either, `stem*` any ending, `..` up to six words between, `#` any number
 * but 0, `#137` that number, `!429` that HTTP status, `@` a path, URL, id or quoted name. A word stands for its plural too, a plural for
 * nothing else.
 */
export function growTree(rules: readonly string[]): PhraseTree {
  const spelling = new Uint16Array(MAX_NODES * 32);
  const wordAt = new Uint16Array(MAX_NODES);
  const stemAt = new Uint16Array(MAX_NODES);
  /** The node one letter before, and whether that is a word whose plural ends here. */
  const parentOf = new Uint16Array(MAX_NODES);
  const isPlural = new Uint8Array(MAX_NODES);
  const signs = new Uint16Array(65_536);
  const alsoAt = new Uint16Array(MAX_SYMBOLS);
  const flagAt = new Uint8Array(MAX_SYMBOLS);
  // Edges of phrases as a hash table with open addressing, apart from those of node 0. Most steps lead nowhere, which the
  // hints, a bit for symbols with the same last five bits, tell without a look at the table.
  const firsts = new Uint16Array(MAX_SYMBOLS);
  const hints = new Int32Array(MAX_NODES);
  const keys = new Int32Array(SLOTS);
  const ends = new Uint16Array(SLOTS);
  const ruleAt = new Int16Array(MAX_NODES).fill(-1);
  let spelled = STATUS_NUMBER;
  let symbols = NAME;
  let nodes = 0;

  const slotOf = (key: number) => {
    let slot = Math.imul(key, SPREAD) >>> 18;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & (SLOTS - 1);
    return slot;
  };
  const step = (node: number, symbol: number) => {
    if (node === 0) return firsts[symbol] ?? 0;
    if ((((hints[node] ?? 0) >>> symbol) & 1) === 0) return 0;
    return ends[slotOf(node * MAX_SYMBOLS + symbol)] ?? 0;
  };
  const grow = (node: number, symbol: number) => {
    const known = step(node, symbol);
    if (known > 0) return known;
    if (node === 0) firsts[symbol] = ++nodes;
    else {
      const key = node * MAX_SYMBOLS + symbol;
      const slot = slotOf(key);
      keys[slot] = key;
      ends[slot] = ++nodes;
      hints[node] = (hints[node] ?? 0) | (1 << symbol);
    }
    return nodes;
  };

  const spell = (node: number, unit: number) => {
    const slot = node * 32 + (unit & 31);
    const known = spelling[slot] ?? 0;
    if (known > 0) return known;
    parentOf[++spelled] = node;
    spelling[slot] = spelled;
    return spelled;
  };

  /**
   * Reads phrases, each unit once: this is what a process waits for that names one error. With a flag it is words that get
   * it, not phrases.
   */
  const read = (text: string, rule: number, flag: number) => {
    /** Where the phrase has come to, and where with the alternative that is being read, and with those before it. */
    let heads: readonly number[] = [0];
    let ends = heads;
    let others: readonly number[] = [];
    let node = 0;
    let letters = 0;
    let last = 0;
    const take = (symbol: number) => {
      if (flag > 0) flagAt[symbol] = flag;
      else ends = flagAt[symbol] === DROPPED ? [] : ends.map((end) => grow(end, symbol));
    };
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : COMMA;
      const isSign = unit > 127 && kindOf(unit) === SIGN;
      if (unit >= DIGITS && unit !== BAR && unit !== AT && !isSign) {
        node = spell(node || rootOf(unit), unit);
        letters++;
        last = unit;
        continue;
      }
      if (node > 0) {
        const symbolAt = unit === STAR || node === NUMBER ? stemAt : wordAt;
        symbolAt[node] ||= ++symbols;
        take(symbolAt[node] ?? 0);
        if (unit !== STAR && letters > 2 && last >= A && last < 128 && last !== S) isPlural[spell(node, S)] = 1;
      }
      node = unit === HASH ? NUMBER : unit === BANG ? STATUS_NUMBER : 0;
      letters = 0;
      if (isSign) {
        signs[unit] ||= ++symbols;
        take(signs[unit] ?? 0);
      } else if (unit === AT) take(NAME);
      else if (unit === DOT) {
        take(GAP);
        at++;
      }
      if (unit !== BAR && unit !== BLANK && unit !== COMMA) continue;
      if (ends !== heads) others = others.concat(ends);
      if (unit !== BAR) {
        if (others.length > 0) heads = others;
        others = [];
      }
      if (unit === COMMA) {
        for (const end of heads) if ((ruleAt[end] ?? 0) < 0) ruleAt[end] = rule;
        heads = [0];
      }
      ends = heads;
    }
  };

  WORD_LISTS.forEach((words, index) => {
    read(words, -1, index + 1);
  });
  rules.forEach((phrases, rule) => {
    read(fold(phrases), rule, 0);
  });
  // A node comes after its parent, so one pass hands stems and singulars down.
  for (let node = STATUS_NUMBER + 1; node <= spelled; node++) {
    const parent = parentOf[node] ?? 0;
    const shorter = stemAt[parent] ?? 0;
    const stem = stemAt[node] ?? 0;
    if (stem > 0) alsoAt[stem] = shorter;
    else stemAt[node] = shorter;
    const word = wordAt[node] ?? 0;
    const singular = isPlural[node] ? (wordAt[parent] ?? 0) : 0;
    if (word > 0) alsoAt[word] = singular || (stemAt[node] ?? 0);
    else wordAt[node] = singular;
  }
  // None of something is not something: "0 errors" is no match for `# errors`.
  const zero = wordAt[spelling[NUMBER * 32 + ('0'.charCodeAt(0) & 31)] ?? 0] ?? 0;
  if (zero > 0) alsoAt[zero] = 0;
  return { spelling, wordAt, stemAt, signs, alsoAt, flagAt, step, ruleAt };
}

/** Where the spelling of a word with this first letter begins. */
export function rootOf(unit: number): number {
  return unit < 128 ? LATIN : unit >> 8 === 4 ? CYRILLIC : 0;
}
