import type { ModelCall } from './model-call.js';

/** Converts texts into vectors. Texts with similar meaning get vectors that are close together. */
export interface Embedder {
  /** Returns one vector per text, in the same order, all of the same length. @throws LoopError as `Model.complete`. */
  embed(texts: readonly string[], call?: ModelCall): Promise<readonly (readonly number[])[]>;
}
