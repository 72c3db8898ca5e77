import { LoopError } from '../contract/errors.js';
import type { Rate } from '../contract/rate.js';

/** Returns a share with its Wilson score interval (Wilson 1927). If `of` is 0, returns 0 with the full range. */
export function wilsonRate(count: number, of: number, z = 1.959964): Rate {
  if (typeof count !== 'number' || typeof of !== 'number' || typeof z !== 'number')
    throw new LoopError('invalid-input', 'count, of and z must be numbers');
  if (of <= 0) return { value: 0, low: 0, high: 1, of: 0 };
  const value = count / of;
  const middle = (value + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((value * (1 - value)) / of + (z * z) / (4 * of * of));
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half), of };
}

/** Returns the Wilson interval of a rate as if its trials were independent: to rank and screen, not to show. */
export function callByCall({ value, of }: Pick<Rate, 'value' | 'of'>): Rate {
  return wilsonRate(value * of, of);
}

/** Returns mean and variance of what a rate may be after these calls: a beta distribution with a uniform prior. */
export function betaPosterior({ value, of }: Pick<Rate, 'value' | 'of'>): {
  readonly mean: number;
  readonly variance: number;
} {
  const mean = (value * of + 1) / (of + 2);
  return { mean, variance: (mean * (1 - mean)) / (of + 3) };
}

/**
 * Returns the natural logarithm of the gamma function for x > 0 (Lanczos 1964, g = 7, 9 terms). Relative error below
 * 1e-13.
 */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = LANCZOS[0] ?? 0;
  for (let term = 1; term < LANCZOS.length; term++) sum += (LANCZOS[term] ?? 0) / (x + term - 1);
  const shifted = x + 6.5;
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(shifted) - shifted + Math.log(sum);
}

const HALF_LOG_TWO_PI = 0.9189385332046727; // 0.5 log(2 pi), as a number, so that it has no side effect;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Returns the logarithm of the number of ways to choose `k` of `n`; -Infinity if there are none. */
export function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  if (k === 0 || k === n) return 0;
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/** Population with marked members, from which some are drawn without replacement. */
export interface Urn {
  readonly population: number;
  readonly marked: number;
  readonly drawn: number;
}

/**
 * Returns the probability of drawing `count` or more marked members: Fisher's one-sided exact test (1935) for a two by
 * two table. All numbers are integers.
 */
export function hypergeometricTail(count: number, { population, marked, drawn }: Urn): number {
  const lowest = Math.max(0, marked + drawn - population);
  const highest = Math.min(marked, drawn);
  if (count <= lowest) return 1;
  if (count > highest) return 0;
  const logFirst =
    logChoose(marked, count) + logChoose(population - marked, drawn - count) - logChoose(population, drawn);
  const first = Math.exp(logFirst);
  // Each term follows from the one before, so the sum needs one logarithm. It ends when terms become negligible.
  let sum = 1;
  let term = 1;
  for (let k = count; k < highest; k++) {
    term *= ((marked - k) * (drawn - k)) / ((k + 1) * (population - marked - drawn + k + 1));
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return Math.min(1, first * sum);
}

/**
 * Returns the probability of `count` or more successes in `of` independent trials with the given chance. All counts are
 * integers.
 */
export function binomialTail(count: number, of: number, chance: number): number {
  if (count <= 0) return 1;
  if (count > of || chance <= 0) return 0;
  if (chance >= 1) return 1;
  const first = Math.exp(logChoose(of, count) + count * Math.log(chance) + (of - count) * Math.log1p(-chance));
  const odds = chance / (1 - chance);
  let sum = 1;
  let term = 1;
  for (let k = count; k < of; k++) {
    term *= ((of - k) / (k + 1)) * odds;
    sum += term;
    if (term < sum * 1e-16) break;
  }
  return Math.min(1, first * sum);
}

/**
 * Returns the probability of `count` or more events for a given mean and variance. The distribution is negative
 * binomial, or Poisson if the variance is not above the mean.
 */
export function countTail(count: number, mean: number, variance: number): number {
  if (count <= 0) return 1;
  if (mean <= 0) return 0;
  const size = variance > mean ? (mean * mean) / (variance - mean) : Number.POSITIVE_INFINITY;
  const poisson = !(size < 1e9);
  const stay = poisson ? 0 : mean / (size + mean);
  const logFirst = poisson
    ? count * Math.log(mean) - mean - logGamma(count + 1)
    : logGamma(count + size) -
      logGamma(size) -
      logGamma(count + 1) +
      size * Math.log(size / (size + mean)) +
      count * Math.log(stay);
  let sum = 1;
  let term = 1;
  for (let k = count; k < count + 10_000; k++) {
    term *= poisson ? mean / (k + 1) : (stay * (k + size)) / (k + 1);
    sum += term;
    if (term < sum * 1e-12) break;
  }
  return Math.min(1, Math.exp(logFirst) * sum);
}

/** Returns the probability of each total number of marked members drawn from several urns. */
export function hypergeometricSum(urns: readonly Urn[]): readonly number[] {
  let chances: number[] = [1];
  for (const { population, marked, drawn } of urns) {
    const highest = Math.min(marked, drawn);
    const next = new Array<number>(chances.length + highest).fill(0);
    for (let k = Math.max(0, marked + drawn - population); k <= highest; k++) {
      const log = logChoose(marked, k) + logChoose(population - marked, drawn - k) - logChoose(population, drawn);
      const chance = Math.exp(log);
      for (let at = 0; at < chances.length; at++) next[at + k] = (next[at + k] ?? 0) + chance * (chances[at] ?? 0);
    }
    chances = next;
  }
  return chances;
}

/**
 * Adjusts p-values for multiple tests (Benjamini and Hochberg 1995). Of those at or below `x`, at most a share `x` are
 * false on average. Returns them in the original order.
 */
export function benjaminiHochberg(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => (pValues[b] ?? 0) - (pValues[a] ?? 0));
  const adjusted = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  order.forEach((index, place) => {
    const rank = pValues.length - place;
    smallest = Math.min(smallest, ((pValues[index] ?? 1) * pValues.length) / rank);
    adjusted[index] = smallest;
  });
  return adjusted;
}

/** Returns the standard normal quantile of a share within (0, 1); error below 5e-4 (Abramowitz and Stegun 26.2.23). */
export function normalQuantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(share, 1 - share)));
  const tail =
    t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3);
  return share < 0.5 ? -tail : tail;
}

/** Returns the density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / ROOT_TWO_PI;
}

const ROOT_TWO_PI = 2.5066282746310002;

/** Returns the share of the standard normal distribution below `x`; error below 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const terms = 0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)));
  const above = normalDensity(x) * t * terms;
  return x > 0 ? 1 - above : above;
}
