import type { JudgedSession } from './session-order.js';
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

/** Part of the tasks that failed with and without a line, or median amount of a task. */
export interface LineLevel {
  readonly with: number;
  readonly without: number;
}

/** Sums of what sessions cost with and without one line. */
export class LineTotals {
  readonly #sums: Record<Metric, { with: number; without: number; nWith: number; nWithout: number }> = {
    durationMs: empty(),
    tokens: empty(),
    costUsd: empty(),
  };

  readonly #followed = { with: { yes: 0, no: 0 }, without: { yes: 0, no: 0 } };

  readonly #levels = { with: emptyLevel(), without: emptyLevel() };

  /** Adds the outcome of a session: its failures, or its amount. */
  addLevel(isIn: boolean, { tasks, failures, amount }: JudgedSession): void {
    const own = this.#levels[isIn ? 'with' : 'without'];
    own.tasks += tasks;
    own.failures += failures;
    if (amount !== undefined) own.amounts.push(amount);
  }

  /** Returns what was observed; undefined if either side has nothing, or mostly sessions that did not end. */
  level(): LineLevel | undefined {
    const [given, without] = [levelOf(this.#levels.with), levelOf(this.#levels.without)];
    return Number.isFinite(given) && Number.isFinite(without) ? { with: given, without } : undefined;
  }

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

interface Level {
  tasks: number;
  failures: number;
  readonly amounts: number[];
}

function emptyLevel(): Level {
  return { tasks: 0, failures: 0, amounts: [] };
}

function levelOf({ tasks, failures, amounts }: Level): number {
  if (amounts.length === 0) return failures / tasks;
  const sorted = amounts.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function empty() {
  return { with: 0, without: 0, nWith: 0, nWithout: 0 };
}
