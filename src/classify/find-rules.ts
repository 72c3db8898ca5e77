import { fold } from './characters.js';
import { BREAK, GAP, NEGATOR, type Phrases } from './phrases.js';
import { Tokenizer } from './tokenizer.js';

/** Maximum words between two parts of a phrase written with `..`. */
const MAX_GAP = 6;

/**
 * Phrases found in a text, in order: for each its rule and its first and last word. Valid until the next text is read.
 */
export interface FoundPhrases {
  count: number;
  readonly rules: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** All words of the text as symbols, and their number. */
  readonly symbols: readonly number[];
  words: number;
}

export type RuleFinder = (text: string) => FoundPhrases;

/** Creates a finder that looks up the phrases in texts. The time depends only on the length of the text. */
export function ruleFinder(phrases: Phrases): RuleFinder {
  const { step, otherReading, flagAt, ruleAt } = phrases;
  const words = new Tokenizer(phrases);
  const { symbols } = words;
  const rules: number[] = [];
  const froms: number[] = [];
  const tos: number[] = [];
  const found: FoundPhrases = { count: 0, rules, from: froms, to: tos, symbols, words: 0 };
  let first = 0;

  /** Tries a word, in each of its readings, as the next one of a phrase. */
  function follow(from: number, word: number): void {
    for (let symbol = symbols[word] ?? 0; symbol > 0; symbol = otherReading(symbol)) {
      const node = step(from, symbol);
      if (node === 0) continue;
      const rule = ruleAt[node] ?? -1;
      if (rule >= 0) {
        rules[found.count] = rule;
        froms[found.count] = first;
        tos[found.count++] = word;
      }
      if (word + 1 < words.count) followFrom(node, word + 1);
    }
  }

  /** Tries the next word after a node, or one of those beyond a gap. */
  function followFrom(node: number, next: number): void {
    follow(node, next);
    const gap = step(node, GAP);
    if (gap === 0) return;
    const limit = Math.min(words.count, next + 1 + MAX_GAP);
    for (let other = next; other < limit && symbols[other] !== BREAK; other++) follow(gap, other);
  }

  let last: string | undefined;
  return (source) => {
    if (source === last) return found;
    last = source;
    words.read(fold(source));
    found.count = 0;
    found.words = words.count;
    let negated = false;
    for (let word = 0; word < words.count; word++) {
      const symbol = symbols[word] ?? 0;
      if (symbol === 0) {
        negated = false;
        continue;
      }
      first = word;
      if (!negated) follow(0, word);
      negated = flagAt[symbol] === NEGATOR;
    }
    return found;
  };
}
