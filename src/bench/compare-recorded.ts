import type { ProblemResult } from '../contract/bench-run.js';
import { mustBe } from '../lib/must-be.js';
import { shuffled } from '../lib/shuffled.js';
import type { Comparison, Conclusion } from './comparison.js';
import { GuardBets, type GuardRatios } from './guards.js';
import { PairedBet } from './paired-bet.js';
import { findRegressions, ProblemTallies } from './regressions.js';

export interface RecordedOptions {
  /** Name of the candidate in reports. Default `candidate`. */
  readonly name?: string;
  /** Highest chance of calling a useless candidate better: above 0, below 1. Default 0.05. */
  readonly alpha?: number;
  /** Highest mean cost and duration of a candidate, as a multiple of the baseline's. Default 1.5 each. */
  readonly guards?: GuardRatios;
}

/** e-value that proves a loss. */
const WORSE_NEEDED = 20;

/**
 * Compares recorded runs of two versions on the same problems. The mean scores of each problem are one pair, so a problem
 * with many runs counts once. The claim is about problems like these, as if they were drawn at random.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export function compareRecorded(
  baseline: readonly ProblemResult[],
  candidate: readonly ProblemResult[],
  { name = 'candidate', alpha = 0.05, guards }: RecordedOptions = {},
): Comparison {
  mustBe(alpha > 0 && alpha < 1, 'alpha', alpha, 'a number above 0 and below 1');
  const [before, now] = [byProblem(baseline), byProblem(candidate)];
  const bet = new PairedBet(0.05);
  const bets = new GuardBets(guards);
  const tallies = new ProblemTallies();
  const scores = { baseline: 0, candidate: 0 };
  let highest = { better: 1, worse: 1 };
  // In an order that no file determines. The highest evidence on the way counts, as with any look.
  for (const id of shuffled([...before.keys()], (one) => `recorded ${one}`)) {
    const [old, fresh] = [before.get(id) ?? [], now.get(id) ?? []];
    if (fresh.length === 0) continue;
    for (let run = 0; run < Math.min(old.length, fresh.length); run++)
      tallies.add(old[run] as ProblemResult, fresh[run] as ProblemResult); // both are longer
    const pair = { baseline: meanOf(old), candidate: meanOf(fresh) };
    scores.baseline += pair.baseline.score;
    scores.candidate += pair.candidate.score;
    bet.add(pair.candidate.score - pair.baseline.score);
    bets.add(pair.baseline, pair.candidate);
    const { eBetter, eWorse } = bet.evidence;
    highest = { better: Math.max(highest.better, eBetter), worse: Math.max(highest.worse, eWorse) };
  }
  const { evidence } = bet;
  const pairs = Math.max(1, evidence.pairs);
  return {
    ...conclude(highest, 1 / alpha, tallies, bets),
    candidate: name,
    evidence: { ...evidence, eBetter: highest.better, eWorse: highest.worse },
    needed: 1 / alpha,
    gain: bet.gain(),
    scores: { baseline: scores.baseline / pairs, candidate: scores.candidate / pairs },
  };
}

function conclude(
  highest: { readonly better: number; readonly worse: number },
  needed: number,
  tallies: ProblemTallies,
  guards: GuardBets,
): Conclusion {
  if (guards.fired) return { kind: 'worse', why: 'guard', guard: guards.fired };
  if (highest.worse >= WORSE_NEEDED) return { kind: 'worse', why: 'mean' };
  const regressions = findRegressions(tallies);
  if (highest.better < needed || guards.isSuspicious) return { kind: 'inconclusive', why: 'recorded' };
  return regressions.length > 0 ? { kind: 'worse', why: 'regression', regressions } : { kind: 'better', why: 'mean' };
}

function byProblem(results: readonly ProblemResult[]): ReadonlyMap<string, readonly ProblemResult[]> {
  const groups = new Map<string, ProblemResult[]>();
  for (const result of results) {
    const group = groups.get(result.problemId);
    if (group) group.push(result);
    else groups.set(result.problemId, [result]);
  }
  return groups;
}

/** Returns the mean of the runs of one problem. The cost is known if each run states it. */
function meanOf(runs: readonly ProblemResult[]): ProblemResult {
  const mean = (of: (run: ProblemResult) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return {
    problemId: runs[0]?.problemId ?? '',
    score: mean(({ score }) => score),
    durationMs: mean(({ durationMs }) => durationMs),
    ...(runs.every(({ costUsd }) => costUsd !== undefined) && { costUsd: mean(({ costUsd }) => costUsd ?? 0) }),
  };
}
