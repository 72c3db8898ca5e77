import type { PolicyChange } from '../contract/change.js';
import type { FixWords } from '../contract/change-kind.js';
import type { Fix } from '../contract/fix.js';
import type { ChangeKinds, KindInForce } from '../fix/change-kinds.js';
import { type LoopHandle, partsOf } from './loop-parts.js';

/** Description of a fix by its kind of change. */
export interface FixDescription extends FixWords {
  /** The settings of the change, with their scope; absent if it has none. */
  readonly settings?: PolicyChange;
  /** Whether only a person can approve the fix. */
  readonly needsPerson: boolean;
}

/** Describes what a fix changes and how it is undone, in plain words. */
export function describeFix(loop: LoopHandle, fix: Fix): FixDescription {
  return descriptionOf(fix, partsOf(loop).kinds);
}

export function descriptionOf(fix: Fix, kinds: ChangeKinds<KindInForce>): FixDescription {
  const kind = kinds.of(fix.change);
  const { settings } = kind.effect(fix.change);
  return { ...kind.describe(fix), ...(settings && { settings }), needsPerson: kinds.needsPerson(fix.change) };
}
