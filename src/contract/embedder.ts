import type { ModelCall } from './model-call.js';

/** Turns texts into vectors: the nearer two vectors, the nearer the texts in meaning. */
export interface Embedder {
  /** One vector per text, in their order, all of one length. @throws LoopError as `Model.complete`. */
  embed(texts: readonly string[], call?: ModelCall): Promise<readonly (readonly number[])[]>;
}
