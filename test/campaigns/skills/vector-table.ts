import type { Embedder } from 'rsi-loop';
import { RetrievalIndex } from '../../../integrations/skills/retrieval.js';
import { seededRandom } from '../../../src/lib/random.js';
import { LONG_TEXTS } from './long-descriptions.js';

const DIMENSIONS = 256;
/** Number of neighbours with the same subject, as in `texts.ts`. */
const FAMILY = 5;
const UNRELATED = 400;

export interface MeaningScore {
  /** Share of requests whose skill is among the offered ones. The requests share no word with any description. */
  readonly recall: number;
  /** Share of unrelated tasks for which nothing is offered. */
  readonly none: number;
}

/**
 * Scores the retrieval with vectors from a table.
 * @param base cosine of texts without anything in common: about 0.1 with some embedders, and 0.75 with others.
 */
export async function scoreMeaning(base: number): Promise<MeaningScore> {
  const table = new VectorTable(base);
  const embedder: Embedder = { embed: async (texts) => texts.map((text) => table.vectorOf(text)) };
  const index = new RetrievalIndex(LONG_TEXTS, embedder);
  const offered = async (text: string) => (await index.nearest(text)).map(({ entry }) => entry.name);
  let [found, none] = [0, 0];
  for (const { name } of LONG_TEXTS) if ((await offered(`zq ${name.replaceAll('-', '')}`)).includes(name)) found++;
  for (let at = 0; at < UNRELATED; at++) if ((await offered(`zq ${at}`)).length === 0) none++;
  return { recall: found / LONG_TEXTS.length, none: none / UNRELATED };
}

/** Vectors of an invented embedder: of skills, of a request for each, and of everything else. */
class VectorTable {
  readonly #random = seededRandom(11);
  readonly #common = this.#direction();
  readonly #base: number;
  readonly #vectors = new Map<string, readonly number[]>();

  constructor(base: number) {
    this.#base = base;
    let family = this.#direction();
    for (const [at, { name, description }] of LONG_TEXTS.entries()) {
      if (at % FAMILY === 0) family = this.#direction();
      const meant = mix(family, this.#direction(), 0.5);
      this.#vectors.set(`${name}: ${description}`, this.#text(meant));
      this.#vectors.set(`zq ${name.replaceAll('-', '')}`, this.#text(mix(meant, this.#direction(), 0.45)));
    }
  }

  vectorOf(text: string): readonly number[] {
    const known = this.#vectors.get(text) ?? this.#text(this.#direction());
    this.#vectors.set(text, known);
    return known;
  }

  #text(meant: readonly number[]): readonly number[] {
    return mix(this.#common, meant, this.#base);
  }

  /** Returns a random direction. Two of them are nearly orthogonal. */
  #direction(): readonly number[] {
    const numbers = Array.from({ length: DIMENSIONS }, () => this.#random() + this.#random() + this.#random() - 1.5);
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  }
}

/** Returns a direction with this cosine-squared share of the first. */
function mix(one: readonly number[], other: readonly number[], share: number): readonly number[] {
  return one.map((number, at) => Math.sqrt(share) * number + Math.sqrt(1 - share) * (other[at] ?? 0));
}
