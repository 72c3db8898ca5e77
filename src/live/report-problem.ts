import { type LoopHandle, partsOf } from './loop-parts.js';

/**
 * Emits a `problem` event on the loop. For surrounding code that recovered from an error its owner should know about.
 */
export function reportProblem(loop: LoopHandle, where: string, message: string): void {
  partsOf(loop).events.emit({ kind: 'problem', where, message });
}
