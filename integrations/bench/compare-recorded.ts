import { addTo, chance, mustBe, showValue } from 'rsi-loop/kit';
import type { ProblemResult } from './bench-run.js';
import type { Comparison, Conclusion } from './comparison.js';
import { GuardBets, type GuardRatios } from './guards.js';
import { ProblemTallies } from './losses.js';
import { meanResult } from './mean-result.js';
import { PairedBet } from './paired-bet.js';
import { unitOf } from './units.js';

/** Options of `compareSaved`. */
export interface RecordedOptions {
  /** Name of the candidate in reports. Default `candidate`. */
  readonly name?: string;
  /** Highest chance of calling a useless candidate better: above 0, below 1. Default 0.05. */
  readonly alpha?: number;
  /** Loss that does not matter, in points of the score, as for `compare`. Default: the question is whether it is better. */
  readonly notWorseBy?: number;
  /** Whether a problem that is lost is only reported, or makes the candidate `worse`. Default `report`. */
  readonly losses?: 'report' | 'block';
  /** Returns the group of a problem, as `group` of it says. Those of one group are one pair. Default: none. */
  readonly groupOf?: (problemId: string) => string | undefined;
  /** Highest mean cost, tokens, duration and turns of a candidate, as a multiple of the baseline's. Default 1.5 each. */
  readonly guards?: GuardRatios;
}

/** e-value that proves a loss. */
const WORSE_NEEDED = 20;
/** Gain in points of the score that a bet against it excludes. */
const USEFUL_GAIN = 0.05;

/**
 * Compares recorded runs of two versions on the same problems. The mean scores of each problem are one pair, so a problem
 * with many runs counts once. The claim is about problems like these, as if they were drawn at random.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export function compareRecorded(
  baseline: readonly ProblemResult[],
  candidate: readonly ProblemResult[],
  options: RecordedOptions = {},
): Comparison {
  const { name = 'candidate', alpha = 0.05, notWorseBy, guards, groupOf } = options;
  mustBe(Number.isFinite(alpha) && alpha > 0 && alpha < 1, 'alpha', alpha, 'a number above 0 and below 1');
  for (const [side, results] of Object.entries({ baseline, candidate }))
    mustBe(Array.isArray(results), side, showValue(results), 'a list of results');
  mustBe(groupOf === undefined || typeof groupOf === 'function', 'groupOf', showValue(groupOf), 'a function of an id');
  const margin = notWorseBy ?? USEFUL_GAIN;
  mustBe(Number.isFinite(margin) && margin > 0 && margin < 1, 'notWorseBy', margin, 'a number above 0 and below 1');
  const [before, now] = [byProblem(baseline), byProblem(candidate)];
  const pairs = pairsOf(before, now, groupOf);
  const bet = new PairedBet(USEFUL_GAIN, {
    ...(notWorseBy !== undefined && { notWorseBy }),
    ...(pairs.length > 0 && { maxPairs: pairs.length }),
    needed: 1 / alpha,
  });
  const bets = new GuardBets(guards);
  const scores = { baseline: 0, candidate: 0 };
  let highest = { better: 1, worse: 1, notWorse: 1 };
  for (const pair of pairs) {
    scores.baseline += pair.baseline.score;
    scores.candidate += pair.candidate.score;
    bet.add(pair.candidate.score - pair.baseline.score);
    bets.add(pair.baseline, pair.candidate);
    const { eBetter, eWorse, eNotWorse } = bet.evidence;
    highest = {
      better: Math.max(highest.better, eBetter),
      worse: Math.max(highest.worse, eWorse),
      notWorse: Math.max(highest.notWorse, eNotWorse),
    };
  }
  const { evidence } = bet;
  const count = Math.max(1, evidence.pairs);
  return {
    ...conclude({ highest, tallies: talliesOf(before, now), guards: bets }, options),
    candidate: name,
    evidence: { ...evidence, eBetter: highest.better, eWorse: highest.worse, eNotWorse: highest.notWorse },
    needed: 1 / alpha,
    gain: bet.gain(),
    scores: { baseline: scores.baseline / count, candidate: scores.candidate / count },
    ...(notWorseBy !== undefined && { notWorseBy }),
  };
}

interface Found {
  readonly highest: { readonly better: number; readonly worse: number; readonly notWorse: number };
  readonly tallies: ProblemTallies;
  readonly guards: GuardBets;
}

function conclude(
  { highest, tallies, guards }: Found,
  { alpha = 0.05, notWorseBy, losses }: RecordedOptions,
): Conclusion {
  if (guards.fired) return { kind: 'worse', why: 'guard', guard: guards.fired };
  if (highest.worse >= WORSE_NEEDED) return { kind: 'worse', why: 'mean' };
  const isBetter = highest.better >= 1 / alpha;
  const isProven = isBetter || (notWorseBy !== undefined && highest.notWorse >= 1 / alpha);
  if (!isProven || guards.isSuspicious) return { kind: 'unknown', why: 'recorded' };
  const { losses: loses } = tallies;
  if (loses.length > 0 && losses === 'block') return { kind: 'worse', why: 'losses', loses };
  const lost = loses.length > 0 ? { loses } : {};
  return isBetter
    ? { kind: 'better', why: 'mean', ...lost }
    : { kind: 'not-worse', why: 'mean', by: notWorseBy ?? USEFUL_GAIN, ...lost };
}

type Results = ReadonlyMap<string, readonly ProblemResult[]>;

interface Pair {
  readonly baseline: ProblemResult;
  readonly candidate: ProblemResult;
}

/** Returns the means of each problem or group that both versions ran, in an order that no file determines. */
function pairsOf(before: Results, now: Results, groupOf: RecordedOptions['groupOf']): readonly Pair[] {
  const units = new Map<string, Pair[]>();
  for (const [id, old] of before) {
    const [fresh, group] = [now.get(id), groupOf?.(id)];
    const unit = unitOf({ id, ...(group !== undefined && { group }) });
    if (fresh) addTo(units, unit, { baseline: meanResult(old), candidate: meanResult(fresh) });
  }
  return chance
    .shuffled([...units], ([unit]) => `recorded ${unit}`)
    .map(([, pairs]) => ({
      baseline: meanResult(pairs.map((pair) => pair.baseline)),
      candidate: meanResult(pairs.map((pair) => pair.candidate)),
    }));
}

function talliesOf(before: Results, now: Results): ProblemTallies {
  const tallies = new ProblemTallies(before.size);
  for (const [id, old] of before)
    for (const [run, result] of (now.get(id) ?? []).entries()) {
      const baseline = old[run];
      if (baseline) tallies.add(baseline, result);
    }
  return tallies;
}

function byProblem(results: readonly ProblemResult[]): Results {
  const groups = new Map<string, ProblemResult[]>();
  for (const result of results) addTo(groups, result.problemId, result);
  return groups;
}
