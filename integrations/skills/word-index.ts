import { synonymsBy } from './synonyms.js';

/** Longest common beginning that counts as the same word, and shortest word that counts as part of another. */
const STEM = 5;
const PART = 4;
/** How well words match: the same, a synonym or another ending, and a part of a word. */
const SAME = 1;
const ALIKE = 0.8;
const PARTLY = 0.6;

/** Word of an index that a word of a task matches, and how well. */
export type WordMatch = readonly [word: string, strength: number];

/** Words of descriptions, found by their beginning and by their parts. */
export class WordIndex {
  readonly #words = new Set<string>();
  readonly #byStem = new Map<string, string[]>();
  readonly #byPart = new Map<string, string[]>();
  readonly #byStart = new Map<string, string[]>();

  add(word: string): void {
    if (this.#words.has(word)) return;
    this.#words.add(word);
    push(this.#byStem, stemOf(word), word);
    for (const part of partsOf(word)) push(this.#byPart, part, word);
    if (word.length >= PART) push(this.#byStart, word.slice(0, PART), word);
  }

  /** Returns the words that are like a term, best first. */
  like(term: string): readonly WordMatch[] {
    const found = new Map(this.#inOneAnother(term).map((word) => [word, PARTLY]));
    for (const word of this.#byStem.get(stemOf(term)) ?? []) found.set(word, ALIKE);
    if (this.#words.has(term)) found.set(term, SAME);
    return [...found].sort(([, one], [, other]) => other - one);
  }

  /** Returns the words that contain a term, or are a part of it. */
  #inOneAnother(term: string): readonly string[] {
    if (term.length < PART) return [];
    const longer = (this.#byPart.get(term.slice(0, PART)) ?? []).filter((word) => word.includes(term));
    const starts = [...partsOf(term)].flatMap((part) => this.#byStart.get(part) ?? []);
    return [...longer, ...starts.filter((word) => term.includes(word))];
  }
}

/** Returns the beginning of a word, or the group of words that mean the same. */
export function stemOf(term: string): string {
  const stem = term.slice(0, STEM);
  synonyms ??= synonymsBy((word) => word.slice(0, STEM));
  return synonyms.get(stem) ?? stem;
}

/** Built on first use, so that importing costs nothing. Never changes afterwards. */
let synonyms: ReadonlyMap<string, string> | undefined;

function partsOf(word: string): ReadonlySet<string> {
  return new Set(Array.from({ length: Math.max(0, word.length - PART + 1) }, (_, at) => word.slice(at, at + PART)));
}

function push(map: Map<string, string[]>, key: string, word: string): void {
  const list = map.get(key);
  if (list) list.push(word);
  else map.set(key, [word]);
}
