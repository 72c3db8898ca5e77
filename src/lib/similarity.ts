import { wordSet } from './word-set.js';

/** Words of a text and how often each occurs. */
export type Terms = ReadonlyMap<string, number>;

const MAX_CHARS = 2_000;
const MAX_TERMS = 200;
const MAX_TERM_CHARS = 40;
/** Statuses and ports have three or four digits. Other numbers distinguish occurrences, not kinds, and are ignored. */
const KIND_OF_NUMBER = /^\p{N}{3,4}$/u;
const NUMBER = /^\p{N}+$/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Word boundary inside an identifier: `readFile`, `HTTPError`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts without spaces between words. Pairs of characters are used as words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STOP_WORDS = /* @__PURE__ */ wordSet(
  'a an the and or of to in on at by for with from as is are was were be been it its this that i you he she we they my your not no do does did has have had will would can could should but if then than so',
);

/** Usual BM25 parameters: saturation of repeated words, and penalty for long texts. */
const K1 = 1.2;
const B = 0.75;

/** Returns the words by which a text is compared. The work is bounded and grows with the text. */
export function termsOf(text: string): Terms {
  const terms = new Map<string, number>();
  for (const [word] of text.slice(0, MAX_CHARS).normalize('NFKC').matchAll(WORD)) {
    for (const term of UNSPACED.test(word) ? pairsOf(word) : termsOfIdentifier(word)) {
      if (terms.size < MAX_TERMS || terms.has(term)) terms.set(term, (terms.get(term) ?? 0) + 1);
    }
  }
  return terms;
}

/** Returns the pairs of neighbouring characters; a single character as it is. */
function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Returns the stems of the words in an identifier, without stop words and numbers that name one occurrence. */
function termsOfIdentifier(word: string): readonly string[] {
  const parts = word.length > MAX_TERM_CHARS ? [word.slice(0, MAX_TERM_CHARS)] : word.split(HUMP);
  return parts
    .map((part) => rootOf(part.toLowerCase()))
    .filter((term) => !STOP_WORDS.has(term) && (!NUMBER.test(term) || KIND_OF_NUMBER.test(term)));
}

/** Returns the stem of a word, without English plurals and similar endings, so that `timeouts` matches `timeout`. */
function rootOf(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/**
 * Returns the similarity of a text to each document, 0 (no word in common) to nearly 1.
 * It is the BM25 score (Robertson and Zaragoza 2009) divided by the highest score the text could reach. Rare words
 * count most; rarity is measured on the documents.
 */
export function similarities(query: Terms, documents: readonly Terms[]): readonly number[] {
  if (documents.length === 0 || query.size === 0) return documents.map(() => 0);
  const lengths = documents.map(lengthOf);
  const usualLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length || 1;
  const weights = [...query.keys()].map((term) => {
    const having = documents.reduce((count, document) => count + Number(document.has(term)), 0);
    // A word that no document contains does not distinguish them. It counts like a word that half of them contain.
    const others = having === 0 ? 1 : (documents.length - having + 0.5) / (having + 0.5);
    return [term, Math.log(1 + others)] as const;
  });
  const highest = weights.reduce((sum, [, weight]) => sum + weight * (K1 + 1), 0);
  return documents.map((document, index) => {
    const long = K1 * (1 - B + (B * (lengths[index] ?? 0)) / usualLength);
    const score = weights.reduce((sum, [term, weight]) => {
      const count = document.get(term) ?? 0;
      return sum + (weight * count * (K1 + 1)) / (count + long);
    }, 0);
    return score / highest;
  });
}

/** Returns the cosine of two vectors, -1 to 1; 0 if one of them is a zero vector. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  let [dot, a, b] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    dot += value * against;
    a += value * value;
    b += against * against;
  }
  return a > 0 && b > 0 ? dot / Math.sqrt(a * b) : 0;
}

function lengthOf(terms: Terms): number {
  let length = 0;
  for (const count of terms.values()) length += count;
  return length;
}
