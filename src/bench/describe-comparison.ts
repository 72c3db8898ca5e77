import { percent } from '../lib/text.js';
import type { Comparison, Conclusion } from './comparison.js';

/** Returns a comparison in one or two plain sentences with its figures. */
export function describeComparison(comparison: Comparison): string {
  const { candidate, evidence, gain, scores } = comparison;
  const { pairs, wins, losses } = evidence;
  const points = (value: number) => `${value >= 0 ? '+' : '-'}${(Math.abs(value) * 100).toFixed(1)}`;
  const figures = `${percent(scores.candidate)} against ${percent(scores.baseline)} in ${pairs} pairs (${wins} won, ${losses} lost): ${points(gain.value)} points, ${points(gain.low)} to ${points(gain.high)}`;
  return `${candidate} ${conclusionOf(comparison)}. ${figures}.${uncheckedOf(comparison)}`;
}

function uncheckedOf(comparison: Comparison): string {
  if (comparison.kind !== 'better' || comparison.unchecked === undefined) return '';
  const { unchecked } = comparison;
  return ` ${unchecked === 1 ? '1 problem was' : `${unchecked} problems were`} not checked for regressions: a limit was reached.`;
}

function conclusionOf(comparison: Comparison): string {
  const { evidence, needed } = comparison;
  switch (comparison.kind) {
    case 'better':
      return 'is better';
    case 'no-useful-difference':
      return 'makes no useful difference';
    case 'worse':
      return lossOf(comparison);
    case 'inconclusive': {
      if (evidence.eBetter >= needed)
        return `scores higher, but whether it costs more, takes longer or breaks a problem is not decided: ${STOPPED[comparison.why]}`;
      const missing = `evidence ${evidence.eBetter.toFixed(1)} of ${Math.round(needed)} needed`;
      return `is not decided: ${missing}, ${STOPPED[comparison.why]}`;
    }
    default:
      return comparison satisfies never;
  }
}

function lossOf(comparison: Extract<Conclusion, { kind: 'worse' }>): string {
  switch (comparison.why) {
    case 'mean':
      return 'is worse';
    case 'guard':
      return comparison.guard === 'cost' ? 'costs more than its guard allows' : 'takes longer than its guard allows';
    case 'regression': {
      const problems = comparison.regressions.map(({ problemId }) => problemId).join(', ');
      return `never solves ${problems}, which the baseline always solved`;
    }
    default:
      return comparison satisfies never;
  }
}

/** Why a comparison ended before its result was known. */
const STOPPED: Readonly<Record<Extract<Conclusion, { kind: 'inconclusive' }>['why'], string>> = {
  'max-pairs': 'maxPairs reached',
  'max-usd': 'maxUsd reached',
  stopped: 'stopped',
  'other-won': 'another candidate was better first',
  recorded: 'with every recorded problem',
};
