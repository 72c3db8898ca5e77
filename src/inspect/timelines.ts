import type { Timelines } from '../analyze/timelines.js';
import { componentsOf, type LoopHandle } from '../engine/internals.js';

/** Returns counts per hour of the window: tasks, failures by class, occurrences of patterns, and calls of models. */
export function timelines(loop: LoopHandle): Timelines {
  const { analyzer, clock } = componentsOf(loop);
  return analyzer.timelines(clock.now());
}
