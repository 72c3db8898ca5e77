import { INTERNALS, type LoopHandle } from '../engine/internals.js';

/** Tells a `problem` event on the loop, for code around it that copes with something its owner should know of. */
export function reportProblem(loop: LoopHandle, where: string, message: string): void {
  loop[INTERNALS].events.emit({ kind: 'problem', where, message });
}
