import type { Embedder } from 'rsi-loop';
import { comparing } from 'rsi-loop/kit';
import { EVERYDAY } from './everyday-words.js';
import { requestWords } from './request-words.js';
import type { SkillSummary } from './skill.js';
import { synonymsBy } from './synonyms.js';

/** Maximum number of skills offered for a task. More crowd out the task itself. */
export const MOST_OFFERED = 3;
/**
 * Evidence that a task is about a skill, in nats: weights of its common words, of the rarity of these words among the
 * skills, and of the words in the skill's name. Fitted as a choice among 100 skills and none, on requests that the
 * campaign `skills` calls chosen (`docs/decisions/0585-skills-are-a-choice-with-none.md`).
 */
const WEIGHTS = { subject: 1.34, rarity: 0.71, name: 1.29, against: 0.4 };
/** Evidence at which a skill and none are equally likely. */
const EVEN = 6.96;
/** Weight of a word that tasks of any subject contain, against 1 for others. */
const EVERYDAY_SHARE = 0.25;
/** Scale of the common words, in words that are not of everyday English. */
const SUBJECT_SCALE = 4;
/** Minimum score of an offered skill, by words and by meaning. */
const LEAST_BY_WORDS = 0.24;
const LEAST_BY_MEANING = 0.45;
/** Weight of words against meaning if there is an embedder. */
const WORDS_SHARE = 0.3;
/** Skills without the word that are assumed beside those of the folder, so that few skills are compared like many. */
const BACKGROUND = 100;
/** Longest common beginning that counts as the same word, and shortest word that counts as part of another. */
const STEM = 5;
const PART = 4;
/** How well words match: the same, a synonym or another ending, and a part of a word. */
const SAME = 1;
const ALIKE = 0.8;
const PARTLY = 0.6;

/** Text to compare: of a skill, or of a tool of the host. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  readonly whenNot?: string;
}

/** Entry that was found, with its score. */
export interface Match<Of extends Entry> {
  readonly entry: Of;
  /** 0 to 1. */
  readonly score: number;
}

export interface NearestOptions<Of extends Entry> {
  readonly limit?: number;
  /** Minimum score, 0 to 1. A higher one offers less often. Default: 0.24 by words, 0.45 by meaning. */
  readonly least?: number;
  readonly isOpen?: (entry: Of) => boolean;
}

interface Indexed<Of extends Entry> {
  readonly entry: Of;
  readonly name: ReadonlySet<string>;
  /** Words of the name and the description. */
  readonly about: ReadonlySet<string>;
  readonly against: ReadonlySet<string>;
  vector?: readonly number[];
}

/** Word of a task. */
interface Sought {
  /** How much it says about the subject. */
  readonly subject: number;
  /** How few skills contain it. */
  readonly rarity: number;
  /** Words of the index that it matches, and how well, best first. */
  readonly matches: readonly (readonly [word: string, strength: number])[];
}

/** Word with its beginning. */
interface Stemmed {
  readonly word: string;
  readonly stem: string;
}

/** Index of skills or tools, compared with a task by words or with an embedder. */
export class RetrievalIndex<Of extends Entry = SkillSummary> {
  readonly #entries: readonly Indexed<Of>[];
  readonly #embedder: Embedder | undefined;
  readonly #onFailure: (error: unknown) => void;
  /** All words of the index, and the beginning of each. */
  readonly #words = new Map<string, string>();
  /** Number of entries that contain a word with this beginning. */
  readonly #having = new Map<string, number>();

  /** @param onFailure called with the error of an embedder that does not answer. */
  constructor(entries: readonly Of[], embedder?: Embedder, onFailure: (error: unknown) => void = () => undefined) {
    this.#embedder = embedder;
    this.#onFailure = onFailure;
    this.#entries = entries.map((entry) => {
      const name = new Set(comparing.termsOf(entry.name.replaceAll('-', ' ')).keys());
      return {
        entry,
        name,
        about: new Set([...name, ...comparing.termsOf(entry.description).keys()]),
        against: new Set(comparing.termsOf(entry.whenNot ?? '').keys()),
      };
    });
    for (const { about, against } of this.#entries) {
      for (const word of [...about, ...against]) this.#words.set(word, stemOf(word));
      for (const stem of new Set([...about].map(stemOf))) this.#having.set(stem, (this.#having.get(stem) ?? 0) + 1);
    }
  }

  /** Returns the entries that fit a text, best first; none if nothing fits. Only those that `isOpen` allows compete. */
  async nearest(
    text: string,
    { limit = MOST_OFFERED, least: wanted, isOpen = () => true }: NearestOptions<Of> = {},
  ): Promise<readonly Match<Of>[]> {
    const { scores, least: normally } = await this.#scores(text);
    const least = wanted ?? normally;
    return this.#entries
      .map(({ entry }, at) => ({ entry, score: scores[at] ?? 0 }))
      .filter(({ entry, score }) => score >= least && isOpen(entry))
      .sort((a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1))
      .slice(0, limit);
  }

  /** An embedder that fails is reported, and words decide. */
  async #scores(text: string): Promise<{ readonly scores: readonly number[]; readonly least: number }> {
    const sought = requestWords(text).map((word) => this.#seek(word));
    const words = this.#entries.map((entry) => scoreOf(entry, sought));
    const meaning = this.#embedder && (await this.#meaning(text, this.#embedder));
    if (!meaning) return { scores: words, least: LEAST_BY_WORDS };
    const mixed = (score: number, at: number) =>
      WORDS_SHARE * score + (1 - WORDS_SHARE) * Math.max(0, meaning[at] ?? 0);
    return { scores: words.map(mixed), least: LEAST_BY_MEANING };
  }

  /** Looks up a word of a task among the words of all entries. */
  #seek(term: string): Sought {
    const stem = stemOf(term);
    const having = this.#having.get(stem) ?? 0;
    const matches = [...this.#words]
      .map(([word, other]) => [word, likeness({ word: term, stem }, { word, stem: other })] as const)
      .filter(([, strength]) => strength > 0);
    return {
      subject: EVERYDAY.has(term) ? EVERYDAY_SHARE : 1,
      rarity: Math.log(1 + (BACKGROUND + this.#entries.length - having + 0.5) / (having + 0.5)),
      matches: matches.sort(([, one], [, other]) => other - one),
    };
  }

  async #meaning(text: string, embedder: Embedder): Promise<readonly number[] | undefined> {
    const missing = this.#entries.filter(({ vector }) => vector === undefined);
    const texts = missing.map(({ entry }) => `${entry.name}: ${entry.description}`);
    try {
      const [query = [], ...vectors] = await embedder.embed([text, ...texts]);
      for (const [at, one] of missing.entries()) one.vector = vectors[at] ?? [];
      return this.#entries.map(({ vector = [] }) => comparing.cosine(query, vector));
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }
}

/** Returns how likely a task is about an entry rather than about none, 0 to 1. */
function scoreOf({ name, about, against }: Indexed<Entry>, sought: readonly Sought[]): number {
  let [subject, rarity, named, opposed] = [0, 0, 0, 0];
  for (const word of sought) {
    const found = strengthIn(about, word);
    subject += word.subject * found;
    rarity += word.rarity * found;
    named += strengthIn(name, word);
    if (found === 0) opposed += word.rarity * strengthIn(against, word);
  }
  if (subject === 0) return 0;
  const evidence =
    WEIGHTS.subject * Math.log1p(SUBJECT_SCALE * subject) +
    WEIGHTS.rarity * rarity +
    (WEIGHTS.name * named) / (name.size || 1) -
    WEIGHTS.against * opposed;
  return 1 / (1 + Math.exp(EVEN - evidence));
}

function strengthIn(words: ReadonlySet<string>, { matches }: Sought): number {
  return matches.find(([word]) => words.has(word))?.[1] ?? 0;
}

function likeness(one: Stemmed, other: Stemmed): number {
  if (one.word === other.word) return SAME;
  if (one.stem === other.stem) return ALIKE;
  if (one.word.length < PART || other.word.length < PART) return 0;
  return one.word.includes(other.word) || other.word.includes(one.word) ? PARTLY : 0;
}

/** Returns the beginning of a word, or the group of words that mean the same. */
function stemOf(term: string): string {
  const stem = term.slice(0, STEM);
  synonyms ??= synonymsBy((word) => word.slice(0, STEM));
  return synonyms.get(stem) ?? stem;
}

/** Built on first use, so that importing costs nothing. Never changes afterwards. */
let synonyms: ReadonlyMap<string, string> | undefined;
