/** Maximum number of values for the exact probability; beyond it, the normal distribution is close enough. */
const MAX_EXACT = 40;

/**
 * Returns the probability that values like `later` rank at least this high among `earlier` if both come from one
 * distribution. It is the one-sided rank-sum test (Mann and Whitney 1947); ties count half.
 */
export function increaseChance(earlier: readonly number[], later: readonly number[]): number {
  let wins = 0;
  for (const one of later) for (const other of earlier) wins += one > other ? 1 : one === other ? 0.5 : 0;
  const [m, n] = [earlier.length, later.length];
  return m + n <= MAX_EXACT ? exactTail(wins, m, n) : normalTail(wins, m, n);
}

/** Returns the exact tail: counts the orders of m + n values by how often one of the n wins over one of the m. */
function exactTail(wins: number, m: number, n: number): number {
  // ways[j][u]: orders of the values seen so far with j of the n among them and u wins.
  let ways: Float64Array[] = Array.from({ length: n + 1 }, () => new Float64Array(m * n + 1));
  (ways[0] as Float64Array)[0] = 1;
  for (let seen = 0; seen < m + n; seen++) {
    const next: Float64Array[] = Array.from({ length: n + 1 }, () => new Float64Array(m * n + 1));
    for (let j = 0; j <= Math.min(n, seen); j++) {
      const below = seen - j; // of the m
      if (below > m) continue;
      (ways[j] as Float64Array).forEach((count, u) => {
        if (count === 0) return;
        if (below < m) add(next[j], u, count);
        if (j < n) add(next[j + 1], u + below, count);
      });
    }
    ways = next;
  }
  const all = ways[n] as Float64Array;
  const total = all.reduce((sum, count) => sum + count, 0);
  return all.reduce((sum, count, u) => (u >= wins ? sum + count : sum), 0) / total;
}

function add(row: Float64Array | undefined, at: number, count: number): void {
  if (row && at < row.length) row[at] = (row[at] ?? 0) + count;
}

function normalTail(wins: number, m: number, n: number): number {
  const z = (wins - 0.5 - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
  // Abramowitz and Stegun 26.2.17: wrong by less than 1e-7.
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const upper = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z >= 0 ? upper : 1 - upper;
}
