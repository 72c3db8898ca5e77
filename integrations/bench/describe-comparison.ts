import { readAs } from 'rsi-loop/kit';
import type { Comparison, Conclusion } from './comparison.js';
import type { GuardName } from './guards.js';
import type { Loss } from './losses.js';
import { percent } from './percent.js';
import { limitName } from './purse-of.js';

/** Returns a comparison in one to three plain sentences with its figures. */
export function describeComparison(comparison: Comparison): string {
  return readAs('comparison', 'what compare() resolves with', () => sentencesOf(comparison));
}

function sentencesOf(comparison: Comparison): string {
  const { candidate, evidence, gain, scores } = comparison;
  const { pairs, wins, losses } = evidence;
  const figures = `${percent(scores.candidate)} against ${percent(scores.baseline)} in ${pairs} pairs (${wins} won, ${losses} lost): ${signed(gain.value)} points, ${signed(gain.low)} to ${signed(gain.high)}`;
  return `${candidate} ${conclusionOf(comparison)}. ${figures}.${uncheckedOf(comparison)}`;
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : '-'}${(Math.abs(value) * 100).toFixed(1)}`;
}

/** Formats a share of the score as points: `2 points`. */
function points(share: number): string {
  const value = Number((share * 100).toFixed(1));
  return value === 1 ? '1 point' : `${value} points`;
}

function uncheckedOf(comparison: Comparison): string {
  if (!('unchecked' in comparison) || comparison.unchecked === undefined) return '';
  const { unchecked } = comparison;
  return ` ${unchecked === 1 ? '1 problem was' : `${unchecked} problems were`} not checked for losses: a limit was reached.`;
}

function conclusionOf(comparison: Comparison): string {
  switch (comparison.kind) {
    case 'better':
      return `is better${comparison.by ? ` by more than ${points(comparison.by)}` : ''}${lossesOf(comparison.loses)}`;
    case 'not-worse': {
      const { by, gainsLessThan, loses } = comparison;
      const gain = gainsLessThan === undefined ? '' : `, and gains less than ${points(gainsLessThan)}`;
      return `is not worse by ${points(by)} or more${gain}${lossesOf(loses)}`;
    }
    case 'worse':
      return lossOf(comparison);
    case 'unknown':
      return `is unknown: ${openOf(comparison)}`;
    default:
      comparison satisfies never;
      return 'has a result of another version of rsi-loop'; // read from a file
  }
}

function lossesOf(loses: readonly Loss[] = []): string {
  return loses.length === 0 ? '' : `, but loses ${namesOf(loses)}`;
}

function namesOf(loses: readonly Loss[]): string {
  return loses.map(({ problemId, runs }) => `${problemId} (0 of ${runs} runs, all solved before)`).join(', ');
}

const GUARDS: Readonly<Record<GuardName, string>> = {
  cost: 'costs more than its guard allows',
  tokens: 'uses more tokens than its guard allows',
  duration: 'takes longer than its guard allows',
  turns: 'takes more turns than its guard allows',
};

function lossOf(comparison: Extract<Comparison, { kind: 'worse' }>): string {
  switch (comparison.why) {
    case 'mean':
      return comparison.notWorseBy === undefined
        ? 'is worse'
        : `is worse by more than ${points(comparison.notWorseBy)}`;
    case 'guard':
      return GUARDS[comparison.guard];
    case 'losses':
      return `loses ${namesOf(comparison.loses)}`;
    default:
      return comparison satisfies never;
  }
}

function openOf(comparison: Extract<Comparison, { kind: 'unknown' }>): string {
  const { evidence, needed, notWorseBy } = comparison;
  if (comparison.why === 'all-failed') return `every run failed (${comparison.error})`;
  if (comparison.why === 'no-useful-gain') return 'a useful gain is excluded; whether it is a loss was not asked';
  const why = stopOf(comparison.why);
  if (evidence.eBetter >= needed)
    return `it scores higher, but whether it costs more, takes longer or loses a problem is not decided: ${why}`;
  if (notWorseBy === undefined)
    return `evidence ${evidence.eBetter.toFixed(1)} of ${Math.round(needed)} needed, ${why}`;
  const missing = `evidence ${evidence.eNotWorse.toFixed(1)} of ${Math.round(needed)} needed, ${why}`;
  return `${missing}. To exclude a loss of ${points(notWorseBy)}, about ${pairsFor(comparison, notWorseBy)} pairs are needed if the versions are equal`;
}

/** Returns the pairs after which evidence of this size excludes a loss, if equal versions differ as often as so far. */
function pairsFor({ evidence: { pairs, wins, losses }, needed }: Comparison, margin: number): number {
  const variance = (wins + losses + 1) / (pairs + 1);
  return Number(((2 * Math.log(needed) * variance) / margin ** 2).toPrecision(2));
}

type Stop = Exclude<Extract<Conclusion, { kind: 'unknown' }>['why'], 'all-failed' | 'no-useful-gain'>;

/** Returns why a comparison ended before its result was known. */
function stopOf(why: Stop): string {
  switch (why) {
    case 'max-pairs':
      return 'maxPairs reached';
    case 'stopped':
      return 'stopped';
    case 'other-won':
      return 'another candidate was better first';
    case 'recorded':
      return 'with every recorded problem';
    default:
      return `${limitName(why)} reached`.replace(/^The/, 'the');
  }
}
