import { LoopError } from '../contract/errors.js';
import { type CompareOptions, compare } from './compare.js';
import type { Comparison } from './comparison.js';
import { describeComparison } from './describe-comparison.js';
import type { Variant } from './problem-runner.js';
import type { Suite } from './suite.js';

/**
 * Compares like `compare`, for a test: resolves if the candidate is better.
 * @throws LoopError `not-accepted` with the figures if it is not shown to be better.
 */
export async function expectBetter(
  suite: Suite,
  candidate: Variant,
  options: CompareOptions = {},
): Promise<Comparison> {
  const comparison = await compare(suite, candidate, options);
  if (comparison.kind === 'better') return comparison;
  throw new LoopError('not-accepted', describeComparison(comparison));
}
