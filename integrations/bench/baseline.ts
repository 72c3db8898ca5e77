import type { Rate } from 'rsi-loop';
import { chance, mustBe, readAs, wilsonRate } from 'rsi-loop/kit';
import type { BenchRuns, ProblemResult } from './bench-run.js';
import { KeptRuns } from './kept-runs.js';
import { MemoryRuns } from './memory-runs.js';
import { percent } from './percent.js';
import type { Problem } from './problem.js';
import type { ProblemRunner, Variant } from './problem-runner.js';
import { mustBeRunner } from './problem-runner.js';
import { limitName, purseOf } from './purse-of.js';
import { baselineId } from './run-id.js';
import type { Budget, BudgetLimit, RunPurse } from './run-purse.js';
import { Units } from './units.js';

/** Options of a baseline. */
export interface BaselineOptions {
  /** Version that is measured. Default: the agent as it is. */
  readonly variant?: Variant;
  /** Runs of each problem, from 1. One run says nothing about how much the scores vary. Default 3. */
  readonly repeats?: number;
  /** Limit on the cost of all runs, in US dollars, if runs state their cost. Default: the suite's. */
  readonly maxUsd?: number;
  /** Limits on dollars, runs, tokens and minutes, or a purse that several benchmarks share. Default: none. */
  readonly budget?: Budget | RunPurse;
  /** Runs at the same time. Default 4. */
  readonly concurrency?: number;
  /** Another seed runs everything again, for example after a change of the agent. Default 1. */
  readonly seed?: number;
  /** Keeps results, so that an interrupted baseline resumes without repeating a run. Default: in memory. */
  readonly runs?: BenchRuns;
  /** Ends the baseline after the runs in progress. */
  readonly signal?: AbortSignal;
  /** Called after each run, in the order in which they end. */
  readonly onResult?: (result: ProblemResult, progress: { readonly done: number; readonly of: number }) => void;
}

/** Scores of one problem over its repeats. */
export interface ProblemScores {
  readonly problemId: string;
  readonly group?: string;
  readonly runs: number;
  /** Mean, 0 to 1. */
  readonly score: number;
  /** Standard deviation of the score from run to run; absent below two runs. */
  readonly deviation?: number;
  /** Error of the last run that ended with one. */
  readonly error?: string;
  /** Start of the last answer that scored below 1, redacted. */
  readonly answer?: string;
}

/** Scores of a suite as it is, before any change. */
export interface Baseline {
  readonly suite: string;
  /**
   * Mean score over all runs, with a 95 % interval for this agent on these problems. The interval is Wilson's, as if
   * each run were of another problem: with the same problems repeated it is wider than necessary. A group counts as one.
   */
  readonly score: Rate;
  /** Every problem, the worst first. */
  readonly problems: readonly ProblemScores[];
  readonly tokens: { readonly input: number; readonly output: number };
  readonly costUsd: number;
  /** Mean duration of a run, in milliseconds. */
  readonly durationMs: number;
  /** Standard deviation of the judge's scores for the same answer, if a judge scored them. */
  readonly judgeNoise?: number;
  /** Runs left out, because a cache repeated an answer. */
  readonly cached?: number;
  /** Why not every run was made. `all-failed`: the first ten runs, and all others so far, ended with an error. */
  readonly stopped?: 'stopped' | 'all-failed' | BudgetLimit;
}

/**
 * Runs every problem several times without a change: the score with its interval, and how much it varies.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export async function measureBaseline(suite: ProblemRunner, options: BaselineOptions = {}): Promise<Baseline> {
  const { repeats = 3, concurrency = 4, seed = 1, signal, onResult, variant } = options;
  mustBe(Number.isInteger(repeats) && repeats >= 1, 'repeats', repeats, 'a whole number from 1');
  mustBe(Number.isInteger(concurrency) && concurrency > 0, 'concurrency', concurrency, 'a whole number from 1');
  mustBeRunner(suite);
  const id = baselineId(suite, { variant, seed });
  const kept = new KeptRuns(suite, { id, runs: options.runs ?? new MemoryRuns(), purse: purseOf(suite, options) });
  await kept.load();
  // Each round runs every problem once, in an order of its own: drift meets all problems alike.
  const draws = Array.from({ length: repeats }, (_, round) =>
    chance.shuffled(suite.problems, (problem) => `${id}:${round}:${problem.id}`),
  ).flat();
  const results: ProblemResult[] = [];
  let next = 0;
  let stopped: Baseline['stopped'];
  const work = async () => {
    for (let draw = next++; draw < draws.length; draw = next++) {
      if (!(await isPaid(kept, draw))) stopped ??= kept.refused;
      if (signal?.aborted) stopped = 'stopped';
      if (kept.failure !== undefined) stopped ??= 'all-failed';
      if (stopped !== undefined) return;
      const result = await kept.result(draws[draw] as Problem, draw, 0, variant); // a draw below the length
      results.push(result);
      onResult?.(result, { done: results.length, of: draws.length });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, draws.length) }, work));
  return { ...summaryOf(suite, results), ...(stopped && { stopped }) };
}

/** Waits for runs in progress, until the budget allows another one. */
async function isPaid(kept: KeptRuns, draw: number): Promise<boolean> {
  while (!kept.reserve([draw], [0])) {
    const end = kept.nextEnd();
    if (!end) return false;
    await end;
  }
  return true;
}

/** Returns a baseline in one or two plain sentences with its figures. */
export function describeBaseline(baseline: Baseline): string {
  return readAs('baseline', 'what baseline() resolves with', () => sentencesOf(baseline));
}

function sentencesOf({ suite, score, problems, costUsd, cached, stopped }: Baseline): string {
  const hard = problems.filter(({ runs, score }) => runs > 0 && score === 0).length;
  const interval = `${percent(score.low)} to ${percent(score.high)}`;
  const cost = costUsd > 0 ? `, $${costUsd.toFixed(2)}` : '';
  const copies = cached === undefined ? '' : ` ${cached} answers from a cache were left out: they repeat others.`;
  const unsolved = hard === 1 ? '1 problem is' : `${hard} problems are`;
  return `${suite}: ${percent(score.value)} (${interval}) in ${score.of} runs of ${problems.length} problems${cost}. ${unsolved} never solved.${copies}${endOf(stopped, problems)}`;
}

function endOf(stopped: Baseline['stopped'], problems: readonly ProblemScores[]): string {
  if (stopped === undefined) return '';
  if (stopped === 'stopped') return ' It was stopped early.';
  if (stopped !== 'all-failed') return ` ${limitName(stopped)} was reached.`;
  const error = problems.find((problem) => problem.error !== undefined)?.error;
  return ` Every run failed, so it was stopped early: ${error ?? 'without an error'}.`;
}

function summaryOf(suite: ProblemRunner, all: readonly ProblemResult[]): Baseline {
  const results = withoutCopies(all);
  const sum = (of: (result: ProblemResult) => number | undefined) => total(results.map((result) => of(result) ?? 0));
  const noises = results.flatMap(({ noise }) => noise ?? []);
  const byProblem = new Map<string, ProblemResult[]>(suite.problems.map(({ id }) => [id, []]));
  for (const result of results) byProblem.get(result.problemId)?.push(result);
  // Runs of one group say about as much as one run.
  const { meanSize } = new Units(suite.problems);
  const score = wilsonRate(sum(({ score }) => score) / meanSize, results.length / meanSize);
  return {
    suite: suite.name,
    score: { ...score, of: results.length },
    ...(results.length < all.length && { cached: all.length - results.length }),
    problems: suite.problems
      .map((problem) => scoresOf(problem, byProblem.get(problem.id) ?? []))
      .sort((a, b) => a.score - b.score),
    tokens: { input: sum(({ tokens }) => tokens?.input), output: sum(({ tokens }) => tokens?.output) },
    costUsd: sum(({ costUsd }) => costUsd),
    durationMs: sum(({ durationMs }) => durationMs) / Math.max(1, results.length),
    ...(noises.length > 0 && { judgeNoise: Math.sqrt(total(noises.map((noise) => noise ** 2)) / noises.length) }),
  };
}

/** Leaves out cached answers to problems that were run before: they say nothing new. */
function withoutCopies(results: readonly ProblemResult[]): readonly ProblemResult[] {
  const seen = new Set<string>();
  return results.filter(({ problemId, cached }) => {
    const isCopy = cached === true && seen.has(problemId);
    seen.add(problemId);
    return !isCopy;
  });
}

function scoresOf({ id, group }: Problem, results: readonly ProblemResult[]): ProblemScores {
  const runs = results.length;
  const score = total(results.map((result) => result.score)) / Math.max(1, runs);
  const error = results.findLast((result) => result.error !== undefined)?.error;
  const answer = results.findLast((result) => result.answer !== undefined)?.answer;
  return {
    problemId: id,
    ...(group !== undefined && { group }),
    runs,
    score,
    ...(runs > 1 && {
      deviation: Math.sqrt(total(results.map((result) => (result.score - score) ** 2)) / (runs - 1)),
    }),
    ...(error !== undefined && { error }),
    ...(answer !== undefined && { answer }),
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
