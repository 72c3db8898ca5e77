import type { Decision, Fix } from './fix.js';

/** Who decides on a fix that may not be applied without a person. */
export interface Gate {
  /** Called once per cycle for each fix still waiting; `waiting` asks again in a later cycle. */
  decide(fix: Fix, options: { readonly signal: AbortSignal }): Promise<Decision>;
}
