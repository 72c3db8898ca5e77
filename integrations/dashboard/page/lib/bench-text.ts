import type { CandidateResult, ImprovementRow, ProblemScore } from '../../bench-views.js';
import type { Tone } from '../parts/state.js';
import { count, countOf, percent } from './format.js';

/** Returns a gain in points of the score: `+9.4`. */
export function points(gain: number): string {
  return `${gain < 0 ? '−' : '+'}${Math.abs(gain * 100).toFixed(1)}`;
}

/** Returns `+9.4 (2.0 to 15.1)` in points. */
export function gainText({ gain, pairs }: Pick<CandidateResult, 'gain' | 'pairs'>): string {
  if (pairs === 0) return 'not measured';
  return `${points(gain.value)} (${points(gain.low)} to ${points(gain.high)})`;
}

export const RESULTS: Readonly<Record<CandidateResult['kind'], readonly [Tone, string]>> = {
  better: ['confirmed', 'better'],
  'not-worse': ['confirmed', 'not worse'],
  worse: ['failing', 'worse'],
  unknown: ['waits', 'unknown'],
};

/** Returns `67 % of 3`. */
export function scoreText({ score, runs }: ProblemScore): string {
  return `${percent(score)} of ${count(runs)}`;
}

const ENDS: Readonly<Record<string, string>> = {
  rounds: 'all rounds are done',
  'no-gain': 'several rounds without a gain',
  'no-proposals': 'nothing was proposed',
  target: 'the target is reached',
  stopped: 'stopped by a person',
  'all-failed': 'every run failed',
};

/** Returns why an improvement ended, or that it has not. */
export function endText({ ended }: Pick<ImprovementRow, 'ended'>): string {
  if (ended === undefined) return 'running or interrupted';
  return ENDS[ended] ?? `the budget is used up (${ended.slice('max-'.length)})`;
}

/** Returns `2 of 10 rounds kept`. */
export function roundsText({ rounds, kept }: Pick<ImprovementRow, 'rounds' | 'kept'>): string {
  return `${count(kept)} of ${countOf(rounds, 'round')} kept`;
}
