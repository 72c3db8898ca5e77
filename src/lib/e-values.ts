/**
 * Returns which e-values pass the e-Benjamini-Hochberg procedure (Wang and Ramdas 2022). Among those that pass, the
 * average share of false discoveries is at most `alpha`, however the e-values depend on each other.
 */
export function eBenjaminiHochberg(eValues: readonly number[], alpha = 0.05): readonly boolean[] {
  const sorted = [...eValues].sort((a, b) => b - a);
  const passing = sorted.findLastIndex((value, index) => value >= eValues.length / (alpha * (index + 1)));
  const least = passing < 0 ? Number.POSITIVE_INFINITY : (sorted[passing] ?? Number.POSITIVE_INFINITY);
  return eValues.map((value) => value >= least);
}
