import type { Components } from './components.js';

/**
 * Key of the components behind a loop, for functions that take a loop (`mark`, `recall` and others). Not for hosts: the
 * components change without notice. The key is the same in two copies of the package.
 */
export const INTERNALS: unique symbol = Symbol.for('rsi-loop.internals');

/** Loop as functions that take one see it: every `RSILoop` is one. */
export interface LoopHandle {
  ready(): Promise<void>;
  /** @internal */
  readonly [INTERNALS]: Components;
}

/** Returns the components of a loop once its store has been read. */
export async function readyComponents(loop: LoopHandle): Promise<Components> {
  await loop.ready();
  return loop[INTERNALS];
}
