import { ROOMS } from './front-rooms.js';
import type { RSILoop } from './loop.js';

/** Tells a `problem` event on the loop, for code around it that copes with something its owner should know of. */
export function tellProblem(loop: RSILoop, where: string, message: string): void {
  loop[ROOMS].events.emit({ kind: 'problem', where, message });
}
