import type { Rate } from '../records.js';

/** A share of successes with its Wilson score interval (Wilson 1927). `of` 0 gives 0 with the whole range. */
export function wilsonRate(count: number, of: number, z = 1.959964): Rate {
  if (of <= 0) return { value: 0, low: 0, high: 1, of: 0 };
  const value = count / of;
  const middle = (value + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((value * (1 - value)) / of + (z * z) / (4 * of * of));
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half), of };
}
