import type { Timelines } from '../analyze/timelines.js';
import type { LoopHandle } from '../live/loop-parts.js';
import { judgedParts } from './judged-parts.js';

/** Returns counts per hour of the window: tasks, failures by class, occurrences of patterns, and calls of models. */
export function timelines(loop: LoopHandle): Timelines {
  const { analyzer, clock } = judgedParts(loop);
  return analyzer.timelines(clock.now());
}
