import { KNOWN } from '../classify/certainty.js';
import { classifyError } from '../classify/classify-error.js';
import type { Pattern } from '../contract/pattern.js';

/**
 * Returns whether the class of a pattern is known and not guessed from its topic. Classes read from words have a
 * confidence. Any other class came from a status, a code or the caller, and is known.
 */
export function isKnownClass({ kind, issue, examples, isClassKnown }: Pattern): boolean {
  if (kind !== 'failure' || isClassKnown) return true;
  return examples.every((example) => {
    const said = classifyError(example);
    return said.issue !== issue || said.confidence >= KNOWN;
  });
}

/** Returns whether every example says that the same call would fail again, such as for an expired certificate. */
export function isPermanent({ kind, issue, examples }: Pattern): boolean {
  if (kind !== 'failure' || examples.length === 0) return false;
  return examples.every((example) => {
    const said = classifyError(example);
    return said.issue === issue && said.permanent;
  });
}
