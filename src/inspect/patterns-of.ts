import type { Outcome } from '../contract/outcome.js';
import { componentsOf, type LoopHandle } from '../engine/internals.js';

/**
 * Returns the ids of the patterns in which an outcome was counted, the one of its first issue first. Leaves out
 * patterns of slow, costly or low-quality successes that were found by comparison with the past.
 */
export function patternsOf(loop: LoopHandle, outcome: Outcome): readonly string[] {
  return componentsOf(loop).analyzer.patternsOf(outcome);
}
