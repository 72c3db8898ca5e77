import type { Decision, Fix } from './fix.js';

/** Decides on fixes that need a person's approval. */
export interface Gate {
  /** Called once per cycle for each fix still waiting. `waiting` means: ask again in a later cycle. */
  decide(fix: Fix, options: { readonly signal: AbortSignal }): Promise<Decision>;
}
