import type { Random } from 'rsi-loop/kit';
import type { Version } from './version.js';

/** Steepness of the preference for higher scores. */
const STEEPNESS = 10;

/**
 * Chooses a version of the archive as the parent of new candidates. The weight of a version rises with the mean score of
 * all its descendants and itself, and falls with the number of its children, so that versions without any are tried.
 * (Zhang et al. 2025, Darwin Gödel Machine: sigmoid of the score over one plus the children. Wang et al. 2025,
 * Huxley-Gödel Machine: the score of the clade instead of the version's own.)
 */
export function chooseParent(archive: readonly Version[], random: Random): Version | undefined {
  const clades = cladesOf(archive);
  const middle = archive[0]?.score ?? 0;
  const weights = clades.map(
    ({ score, children }) => 1 / (1 + Math.exp(STEEPNESS * (middle - score))) / (1 + children),
  );
  let place = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = weights.findIndex((weight) => {
    place -= weight;
    return place < 0;
  });
  return archive[chosen] ?? archive.at(-1);
}

/** Descendants of a version by the first parent, with itself. */
interface Clade {
  /** Mean score of all runs. */
  readonly score: number;
  readonly children: number;
}

function cladesOf(archive: readonly Version[]): readonly Clade[] {
  const sums = archive.map(({ score, runs }) => ({ points: score * runs, runs, children: 0 }));
  const places = new Map(archive.map(({ id }, place) => [id, place]));
  // Parents are older than their children: the sums of the children are complete.
  for (let place = archive.length - 1; place > 0; place--) {
    const parentPlace = places.get(archive[place]?.parents[0] ?? '') ?? place;
    const [parent, child] = [sums[parentPlace], sums[place]];
    if (!parent || !child || parentPlace >= place) continue;
    parent.points += child.points;
    parent.runs += child.runs;
    parent.children++;
  }
  return sums.map(({ points, runs, children }) => ({ score: runs === 0 ? 0 : points / runs, children }));
}
