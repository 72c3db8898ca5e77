import { logGamma } from '../lib/statistics.js';

/** Failures among tasks. */
export type Counts = readonly [failures: number, of: number];

/**
 * Returns the log e-value that two places or times fail at different rates: the likelihood of their counts with a rate
 * each, both unknown, over the highest likelihood of any common rate (universal inference, Wasserman, Ramdas and
 * Balakrishnan 2020). Under a common rate it is an e-process, so it may be looked at after every outcome.
 */
export function logTwoRates([one, ofOne]: Counts, [other, ofOther]: Counts): number {
  return logMixture(one, ofOne) + logMixture(other, ofOther) - logHighest(one + other, ofOne + ofOther);
}

/** Returns the log-likelihood of counts with an unknown rate, over Jeffreys' prior. */
function logMixture(count: number, of: number): number {
  return logGamma(count + 0.5) + logGamma(of - count + 0.5) - logGamma(of + 1) - LOG_PI;
}

const LOG_PI = /* @__PURE__ */ Math.log(Math.PI);

/** Returns the log-likelihood of counts with the constant rate that explains them best. */
function logHighest(count: number, of: number): number {
  const rest = of - count;
  return (count > 0 ? count * Math.log(count / of) : 0) + (rest > 0 ? rest * Math.log(rest / of) : 0);
}
