import { classifyError, KNOWN } from '../classify/classify-error.js';
import type { Pattern } from '../contract/pattern.js';

/**
 * Returns whether the class of a pattern is known and not a guess from its topic. The analyzer says so of errors whose status
 * or code gave it. Otherwise its examples decide: a class that their words do not give came from the caller, and is known.
 */
export function isKnownClass({ kind, issue, examples, isClassKnown }: Pattern): boolean {
  if (kind !== 'failure' || isClassKnown) return true;
  return examples.every((example) => {
    const said = classifyError(example);
    return said.issue !== issue || said.confidence >= KNOWN;
  });
}

/** Whether every example says that the same call fails again, as an expired certificate or a full disk does. */
export function isPermanent({ kind, issue, examples }: Pattern): boolean {
  if (kind !== 'failure' || examples.length === 0) return false;
  return examples.every((example) => {
    const said = classifyError(example);
    return said.issue === issue && said.permanent;
  });
}
