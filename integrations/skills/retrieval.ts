import type { Embedder } from 'rsi-loop';
import { chance, comparing, mustBe, showValue } from 'rsi-loop/kit';
import { EVERYDAY } from './everyday-words.js';
import { requestWords } from './request-words.js';
import type { SkillSummary } from './skill.js';
import { stemOf, WordIndex } from './word-index.js';

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
/** Minimum score of an offered skill by words. The minimum is learned from the index, and not below this. */
const LEAST_BY_WORDS = 0.24;
/**
 * Minimum score by meaning. Embedders differ in the cosine of texts that have nothing in common. With enough entries it is
 * measured between them, and scores are counted from there.
 */
const LEAST_BY_MEANING = 0.2;
const LEAST_UNMEASURED = 0.45;
const ENOUGH_ENTRIES = 5;
/** Pairs of entries at which the cosine is measured. */
const MAX_PAIRS = 2_000;
/** Tasks of everyday words from which the minimum is learned, and the share of them that must get nothing. */
const TRIED = 240;
const SILENT = 0.975;
/** Weight of words against meaning if there is an embedder. */
const WORDS_SHARE = 0.3;
/** Skills without the word that are assumed beside those of the folder, so that few skills are compared like many. */
const BACKGROUND = 100;

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
  /** Minimum score, 0 to 1. A higher one offers less often. Default: learned from the entries. */
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

/** How near a task is to each entry by meaning. */
interface Meaning {
  readonly cosines: readonly number[];
  /** Cosine of texts that have nothing in common, `undefined` if it was not measured. */
  readonly base: number | undefined;
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

/** Index of skills or tools, compared with a task by words or with an embedder. */
export class RetrievalIndex<Of extends Entry = SkillSummary> {
  readonly #entries: readonly Indexed<Of>[];
  readonly #embedder: Embedder | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #words = new WordIndex();
  #leastByWords: number | undefined;
  #base: number | undefined;
  /** Number of entries that contain a word with this beginning. */
  readonly #having = new Map<string, number>();

  /** @param onFailure called with the error of an embedder that does not answer. */
  constructor(entries: readonly Of[], embedder?: Embedder, onFailure: (error: unknown) => void = () => undefined) {
    this.#embedder = embedder;
    this.#onFailure = onFailure;
    const areEntries = Array.isArray(entries) && entries.every((one) => typeof one.name === 'string');
    mustBe(areEntries, 'entries', showValue(entries), 'a list of names with descriptions');
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
      for (const word of [...about, ...against]) this.#words.add(word);
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
    const words = this.#scoresOf(requestWords(text).map((word) => this.#seek(word)));
    this.#leastByWords ??= this.#learnLeast();
    const least = this.#leastByWords;
    const meaning = this.#embedder && (await this.#meaning(text, this.#embedder));
    if (!meaning) return { scores: words, least };
    const mixed = (score: number, at: number) =>
      WORDS_SHARE * above(score, least) + (1 - WORDS_SHARE) * above(meaning.cosines[at] ?? 0, meaning.base ?? 0);
    return { scores: words.map(mixed), least: meaning.base === undefined ? LEAST_UNMEASURED : LEAST_BY_MEANING };
  }

  #scoresOf(sought: readonly Sought[]): readonly number[] {
    return this.#entries.map((entry) => scoreOf(entry, sought));
  }

  /**
   * Returns the score that tasks of random everyday words rarely reach with these entries. Long descriptions and many
   * entries match more words by chance, so they need a higher minimum.
   */
  #learnLeast(): number {
    const words = [...EVERYDAY].map((word) => this.#seek(word));
    const random = chance.seededRandom(words.length);
    const tasks = Array.from({ length: TRIED }, () =>
      Array.from({ length: 4 + Math.floor(6 * random()) }, () => words[Math.floor(random() * words.length)]),
    );
    const best = tasks.map((task) => Math.max(0, ...this.#scoresOf(task.flatMap((word) => word ?? []))));
    return Math.max(LEAST_BY_WORDS, best.sort((a, b) => a - b)[Math.floor(SILENT * TRIED)] ?? 0);
  }

  /** Looks up a word of a task among the words of all entries. */
  #seek(term: string): Sought {
    const stem = stemOf(term);
    const having = this.#having.get(stem) ?? 0;
    return {
      subject: EVERYDAY.has(term) ? EVERYDAY_SHARE : 1,
      rarity: Math.log(1 + (BACKGROUND + this.#entries.length - having + 0.5) / (having + 0.5)),
      matches: this.#words.like(term),
    };
  }

  async #meaning(text: string, embedder: Embedder): Promise<Meaning | undefined> {
    const missing = this.#entries.filter(({ vector }) => vector === undefined);
    const texts = missing.map(({ entry }) => `${entry.name}: ${entry.description}`);
    try {
      const [query = [], ...vectors] = await embedder.embed([text, ...texts]);
      for (const [at, one] of missing.entries()) one.vector = vectors[at] ?? [];
      if (missing.length > 0) this.#base = baseOf(this.#entries.map(({ vector = [] }) => vector));
      return { cosines: this.#entries.map(({ vector = [] }) => comparing.cosine(query, vector)), base: this.#base };
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

/** Returns the part of a score above a base, as a share of what is possible. */
function above(score: number, base: number): number {
  return Math.max(0, (score - base) / (1 - base));
}

/** Returns the median cosine between entries. Most of them have little in common. */
function baseOf(vectors: readonly (readonly number[])[]): number | undefined {
  if (vectors.length < ENOUGH_ENTRIES) return undefined;
  const step = Math.ceil(vectors.length ** 2 / 2 / MAX_PAIRS);
  const cosines = vectors
    .flatMap((one, at) => vectors.slice(at + 1).map((other) => [one, other] as const))
    .filter((_, at) => at % step === 0)
    .map(([one, other]) => comparing.cosine(one, other))
    .sort((a, b) => a - b);
  return Math.max(0, Math.min(0.95, cosines[Math.floor(cosines.length / 2)] ?? 0));
}
