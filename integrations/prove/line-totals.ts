import type { SessionEnded } from './study-entry.js';

const METRICS = ['durationMs', 'tokens', 'costUsd'] as const;
type Metric = (typeof METRICS)[number];

/** Means of ended sessions with and without a line, by metric. A metric is absent if either side has none. */
export type LineCosts = { readonly [metric in Metric]?: { readonly with: number; readonly without: number } };

/** Sessions that followed a line and those that did not, of those whose calls show it. */
interface FollowedCounts {
  readonly yes: number;
  readonly no: number;
}

/** How often sessions did what a line asks, with and without it. */
export interface LineFollowed {
  readonly with: FollowedCounts;
  readonly without: FollowedCounts;
}

/** Sums of what sessions cost with and without one line. */
export class LineTotals {
  readonly #sums: Record<Metric, { with: number; without: number; nWith: number; nWithout: number }> = {
    durationMs: empty(),
    tokens: empty(),
    costUsd: empty(),
  };

  readonly #followed = { with: { yes: 0, no: 0 }, without: { yes: 0, no: 0 } };

  /** Counts whether a session did what the line asks. */
  addFollowed(isIn: boolean, sign: string | undefined): void {
    const own = this.#followed[isIn ? 'with' : 'without'];
    if (sign === 'y') own.yes++;
    if (sign === 'n') own.no++;
  }

  /** Returns how often the line was followed; undefined if no call showed it. */
  followed(): LineFollowed | undefined {
    const { with: given, without } = this.#followed;
    const isShown = given.yes + given.no + without.yes + without.no > 0;
    return isShown ? { with: { ...given }, without: { ...without } } : undefined;
  }

  add(isIn: boolean, ended: SessionEnded): void {
    for (const metric of METRICS) {
      const value = ended[metric];
      if (value === undefined) continue;
      const sums = this.#sums[metric];
      sums[isIn ? 'with' : 'without'] += value;
      sums[isIn ? 'nWith' : 'nWithout']++;
    }
  }

  costs(): LineCosts {
    return Object.fromEntries(
      METRICS.flatMap((metric) => {
        const { with: sumWith, without, nWith, nWithout } = this.#sums[metric];
        const isKnown = nWith > 0 && nWithout > 0;
        return isKnown ? [[metric, { with: sumWith / nWith, without: without / nWithout }]] : [];
      }),
    );
  }
}

function empty() {
  return { with: 0, without: 0, nWith: 0, nWithout: 0 };
}
