import type { Improvement } from '../improvement.js';
import { versionId } from '../version.js';
import type { CodeEvidence } from './code-change.js';

/** Returns the proof of the best version of an improvement: the rounds that were kept, up to it. */
export function evidenceOf(
  { best, rounds }: Pick<Improvement, 'best' | 'rounds'>,
  { suite, seed = 1 }: { readonly suite: string; readonly seed?: number },
): CodeEvidence {
  const id = versionId(best);
  const last = rounds.findLastIndex(({ isKept, draft }) => isKept && versionId(draft) === id);
  const proven = rounds.slice(0, last + 1).filter(({ isKept }) => isKept);
  // A draft that was shortened does not count beside its shorter version.
  const kept = proven.filter(({ version }) => proven.every(({ shortens }) => shortens?.version !== version));
  return {
    suite,
    seed,
    comparisons: kept.flatMap(({ comparison }) => comparison ?? []),
    hypotheses: kept.flatMap(({ forecast }) => forecast?.hypotheses.map(({ hypothesis }) => hypothesis) ?? []),
  };
}
