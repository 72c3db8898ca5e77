import { percent } from '../lib/text.js';
import type { Comparison } from './duel.js';

/** Returns a comparison in one or two plain sentences with its figures. */
export function describeComparison(comparison: Comparison): string {
  const { candidate, evidence, gain, scores } = comparison;
  const { pairs, wins, losses } = evidence;
  const points = (value: number) => `${value >= 0 ? '+' : '-'}${(Math.abs(value) * 100).toFixed(1)}`;
  const figures = `${percent(scores.candidate)} against ${percent(scores.baseline)} in ${pairs} pairs (${wins} won, ${losses} lost): ${points(gain.value)} points, ${points(gain.low)} to ${points(gain.high)}`;
  return `${candidate} ${conclusionOf(comparison)}. ${figures}.`;
}

function conclusionOf({ kind, why, guard, regressions, evidence, needed }: Comparison): string {
  switch (kind) {
    case 'better':
      return 'is better';
    case 'no-useful-difference':
      return 'makes no useful difference';
    case 'worse':
      if (why === 'guard') return `${guard === 'cost' ? 'costs' : 'takes'} too much more`;
      if (why === 'regression') {
        return `never solves ${regressions.map(({ problemId }) => problemId).join(', ')}, which the baseline always solved`;
      }
      return 'is worse';
    case 'inconclusive':
      return `is not decided: evidence ${evidence.eBetter.toFixed(1)} of ${Math.round(needed)} needed, ${STOPPED[why]}`;
    default:
      return kind satisfies never;
  }
}

/** Why a comparison ended before its result was known. */
const STOPPED: Readonly<Record<Comparison['why'], string>> = {
  'max-pairs': 'maxPairs reached',
  'max-usd': 'maxUsd reached',
  stopped: 'stopped',
  'other-won': 'another candidate was better first',
  mean: '',
  regression: '',
  guard: '',
};
