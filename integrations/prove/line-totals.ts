import type { SessionEnded } from './study-entry.js';

const METRICS = ['durationMs', 'tokens', 'costUsd'] as const;
type Metric = (typeof METRICS)[number];

/** Means of ended sessions with and without a line, by metric. A metric is absent if either side has none. */
export type LineCosts = { readonly [metric in Metric]?: { readonly with: number; readonly without: number } };

/** Sums of what sessions cost with and without one line. */
export class LineTotals {
  readonly #sums: Record<Metric, { with: number; without: number; nWith: number; nWithout: number }> = {
    durationMs: empty(),
    tokens: empty(),
    costUsd: empty(),
  };

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
