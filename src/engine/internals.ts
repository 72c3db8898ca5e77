import type { Components } from './components.js';

/**
 * Key for the components of a loop, used by functions that take a loop (`mark`, `recall` and others).
 * Not for hosts: the components change without notice. Two copies of the package share the key.
 */
export const INTERNALS: unique symbol = Symbol.for('rsi-loop.internals');

/** Parts of a loop or a recorder, without their types: hosts see that there are some, and nothing of them. */
export interface CallInternals {
  readonly watchesCalls: true;
}

/** Components of a loop, without their types. */
export interface LoopInternals extends CallInternals {
  readonly isLoop: true;
}

/** Loop as seen by functions that take one. Every `RSILoop` is a `LoopHandle`. */
export interface LoopHandle {
  ready(): Promise<void>;
  /** @internal */
  readonly [INTERNALS]: LoopInternals;
}

/** Returns the components of a loop. */
export function componentsOf(loop: Pick<LoopHandle, typeof INTERNALS>): Components {
  return loop[INTERNALS] as unknown as Components; // the constructor of the loop sets them
}

/** Returns the components of a loop once its store has been read. */
export async function readyComponents(loop: LoopHandle): Promise<Components> {
  await loop.ready();
  return componentsOf(loop);
}
