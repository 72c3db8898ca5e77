import type { Embedder } from '../contract/embedder.js';
import { LoopError } from '../contract/errors.js';
import type { ModelCall } from '../contract/model-call.js';

/** Maximum number of vectors per embedder. The oldest are dropped. */
const MAX_KEPT = 1_000;

/** Asks an embedder once per text. */
export class Vectors {
  readonly #kept = new WeakMap<Embedder, Map<string, readonly number[]>>();

  /**
   * Returns the vector of each text. @throws what the embedder throws, and LoopError `model-answer` for an invalid
   * answer.
   */
  async of(
    embedder: Embedder,
    texts: readonly string[],
    call: ModelCall,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    const kept = this.#kept.get(embedder) ?? new Map<string, readonly number[]>();
    this.#kept.set(embedder, kept);
    const missing = [...new Set(texts)].filter((text) => !kept.has(text));
    const answers = missing.length > 0 ? check(await embedder.embed(missing, call), missing.length) : [];
    const found = new Map(texts.map((text) => [text, kept.get(text) ?? answers[missing.indexOf(text)] ?? []]));
    const [length] = [...found.values()].map((vector) => vector.length);
    if ([...found.values()].some((vector) => vector.length !== length)) {
      this.#kept.delete(embedder);
      throw new LoopError('model-answer', 'the embedder gave vectors of different lengths');
    }
    for (const [index, text] of missing.entries()) kept.set(text, answers[index] ?? []);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return found;
  }
}

function check(answers: unknown, count: number): readonly (readonly number[])[] {
  const isVector = (answer: unknown) =>
    Array.isArray(answer) && answer.length > 0 && answer.every((value) => Number.isFinite(value));
  if (Array.isArray(answers) && answers.length === count && answers.every(isVector)) return answers;
  throw new LoopError('model-answer', `the embedder did not give ${count} vectors of numbers for ${count} texts`);
}
