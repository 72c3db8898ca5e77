/** Highest average share of false claims, and of calls of one useless line. */
const ALPHA = 0.05;
/** Part of the error rate of a single line for claims that it helps; the rest is for claims that it harms. */
const HELP_PART = 0.75;

/** Evidence on one line, in both directions. */
interface BothWays {
  readonly eHelps: number;
  readonly eHarms: number;
}

/**
 * Rule that says which lines may be claimed to have an effect, and in which direction. Without `errorRate`, at most 5 % of
 * the claims are false on average, over all lines. With it, each useless line is claimed with at most this probability.
 */
export class ClaimRule {
  readonly #errorRate: number | undefined;

  constructor(errorRate?: number) {
    this.#errorRate = errorRate;
  }

  claimed(lines: readonly BothWays[]): readonly ('helps' | 'harms' | undefined)[] {
    const rate = this.#errorRate;
    if (rate !== undefined)
      return lines.map(({ eHelps, eHarms }) => {
        if (eHelps >= 1 / (HELP_PART * rate)) return 'helps';
        return eHarms >= 1 / ((1 - HELP_PART) * rate) ? 'harms' : undefined;
      });
    const named = claims(lines.map(({ eHelps, eHarms }) => (eHelps + eHarms) / 2));
    return lines.map(({ eHelps, eHarms }, line) => {
      if (!named[line]) return undefined;
      return eHelps > eHarms ? 'helps' : 'harms';
    });
  }

  /** Returns the e-value that the next line needs to be claimed helpful, if `claimed` of `lines` are claimed. */
  needed(claimed: number, lines: number): number {
    return this.#errorRate === undefined ? 2 * eNeeded(claimed, lines) : 1 / (HELP_PART * this.#errorRate);
  }
}

/**
 * Returns which lines may be claimed to have an effect. On average at most 5 % of the claims are false, whenever the
 * e-values are read and however they depend on each other: for any set of lines without effect, the mean of their
 * e-values would have to be large by chance (closed e-Benjamini-Hochberg, Xu et al. 2025, with 0 for lines that are not
 * claimed, so that a later loss of theirs withdraws no claim). A single line needs at least 20, so a useless line is
 * claimed with probability at most 5 %, ever.
 */
export function claims(eValues: readonly number[]): readonly boolean[] {
  const order = eValues.map((_, index) => index).sort((a, b) => (eValues[b] ?? 0) - (eValues[a] ?? 0));
  const possible = eValues.filter((value) => value >= 1 / ALPHA).length;
  for (let count = possible; count > 0; count--) {
    const claimed = order.slice(0, count);
    if (!holds(claimed.map((index) => eValues[index] ?? 0).reverse(), eValues.length)) continue;
    const found = new Set(claimed);
    return eValues.map((_, index) => found.has(index));
  }
  return eValues.map(() => false);
}

/** Returns the mean e-value that the next line needs, if `claimed` others of `lines` are claimed with much more. */
export function eNeeded(claimed: number, lines: number): number {
  const count = Math.min(lines, claimed + 1);
  return Math.max(1 / ALPHA, (1 + lines - count) / (ALPHA * count));
}

/** Whether every set of claimed lines, with all other lines, has enough evidence. `eValues` ascend. */
function holds(eValues: readonly number[], lines: number): boolean {
  const count = eValues.length;
  let sum = 0;
  return eValues.every((value, index) => {
    sum += value;
    const size = index + 1;
    return sum >= (size * (size + lines - count)) / (ALPHA * count);
  });
}
