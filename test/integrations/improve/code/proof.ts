import type { Comparison } from 'rsi-loop/bench';
import type { CodeEvidence } from 'rsi-loop/improve';

/** Comparison as `compare` returns it for a candidate that is better. */
export const BETTER = {
  kind: 'better',
  why: 'mean',
  candidate: 'signs',
  needed: 20,
  evidence: { pairs: 30, wins: 20, losses: 0, eBetter: 25.04, eWorse: 0, eNoGain: 0, eNotWorse: 30 },
  gain: { value: 0.5, low: 0.2, high: 0.8 },
  scores: { baseline: 0.5, candidate: 1 },
} as const satisfies Comparison;

export const PROOF: CodeEvidence = { suite: 'sums', seed: 7, comparisons: [BETTER], hypotheses: ['signs were lost'] };
