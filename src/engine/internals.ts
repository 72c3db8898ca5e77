import type { Components } from './components.js';

/**
 * Key for the components of a loop, used by functions that take a loop (`mark`, `recall` and others).
 * Not for hosts: the components change without notice. Two copies of the package share the key.
 */
export const INTERNALS: unique symbol = Symbol.for('rsi-loop.internals');

/** Loop as seen by functions that take one. Every `RSILoop` is a `LoopHandle`. */
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
