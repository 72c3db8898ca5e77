import { hashing } from 'rsi-loop/kit';
import type { ProblemRunner, Variant } from './problem-runner.js';

interface Seeded {
  readonly seed?: number | undefined;
}

/** Returns the id under which `BenchRuns` keeps the runs of a baseline. Another problem, version or seed gives another id. */
export function baselineId(
  suite: ProblemRunner,
  { variant, seed = 1 }: Seeded & { readonly variant?: Variant | undefined },
): string {
  return hashing.hashJson(['baseline', suite.name, suite.problems, variant, seed]);
}

/** Returns the id under which `BenchRuns` keeps the runs of a comparison. */
export function comparisonId(
  suite: ProblemRunner,
  candidates: readonly Variant[],
  { baseline, seed = 1 }: Seeded & { readonly baseline?: Variant | undefined },
): string {
  return hashing.hashJson([suite.name, suite.problems, baseline, candidates, seed]);
}
