import { LoopError } from 'rsi-loop';
import { chance, mustBe } from 'rsi-loop/kit';
import type { BenchRuns, ProblemResult } from './bench-run.js';
import type { Comparison, Conclusion } from './comparison.js';
import { Duel } from './duel.js';
import type { GuardRatios } from './guards.js';
import { KeptRuns } from './kept-runs.js';
import { MemoryRuns } from './memory-runs.js';
import type { Problem } from './problem.js';
import type { ProblemRunner, Variant } from './problem-runner.js';
import { mustBeRunner } from './problem-runner.js';
import { purseOf } from './purse-of.js';
import { comparisonId } from './run-id.js';
import type { Budget, RunPurse } from './run-purse.js';

/** Options of `compare`. */
export interface CompareOptions {
  /** Version that candidates are compared with. Default: the agent as it is. */
  readonly baseline?: Variant;
  /** Highest chance of calling a useless candidate better: above 0, below 1. All candidates share it. Default 0.05. */
  readonly alpha?: number;
  /** Smallest mean gain that matters, in points of the score: above 0, below 1. Default 0.05. */
  readonly usefulGain?: number;
  /** Limit on pairs per candidate. Default 700. */
  readonly maxPairs?: number;
  /** Limit on the cost of all runs, in US dollars, if runs state their cost. Default: the suite's. */
  readonly maxUsd?: number;
  /** Limits on dollars, runs, tokens and minutes, or a purse that several benchmarks share. Default: none. */
  readonly budget?: Budget | RunPurse;
  /**
   * Loss that does not matter, in points of the score: above 0, below 1. The question is then whether a candidate is not
   * worse by that much, for example a cheaper model or a shorter prompt. Default: the question is whether it is better.
   */
  readonly notWorseBy?: number;
  /** Gain that `better` must exceed, in points of the score: from 0, below 1. Default 0. */
  readonly betterBy?: number;
  /** Whether a problem that is lost is only reported, or makes a candidate `worse`. Default `report`. */
  readonly losses?: 'report' | 'block';
  /** Ends once a useful gain is excluded, without asking whether it is a loss. Default false. */
  readonly endsWithoutGain?: boolean;
  /** Runs at the same time. Default 4. */
  readonly concurrency?: number;
  /** Determines which problems are drawn and in which order the versions run. Default 1. */
  readonly seed?: number;
  /** Highest mean cost, tokens, duration and turns of a candidate, as a multiple of the baseline's. Default 1.5 each. */
  readonly guards?: GuardRatios;
  /**
   * Keeps results, so that an interrupted comparison resumes without repeating a run. Default: in memory. After a change
   * of the agent itself, give another seed, so that its old results are not used.
   */
  readonly runs?: BenchRuns;
  /** Ends the comparison after the runs in progress. */
  readonly signal?: AbortSignal;
  /** Called after each draw that was counted, with their number so far. */
  readonly onDraw?: (draws: number) => void;
}

/**
 * Compares a candidate with the baseline on the same problems, and stops as soon as the result is known. Each draw picks
 * a problem with replacement and runs both versions again, in random order. `PairedBet` states the claim.
 * @throws LoopError `invalid-input` for an option out of range.
 */
export async function compare(
  suite: ProblemRunner,
  candidate: Variant,
  options: CompareOptions = {},
): Promise<Comparison> {
  const [result] = await race(suite, [candidate], options);
  if (!result) throw new LoopError('invalid-input', 'there is no candidate: give one');
  return result;
}

/**
 * Compares several candidates with the baseline at the same time: each draw runs the baseline once, and the candidates
 * whose result is open. After each 60 draws, only the half with the highest gains runs, at least four; the others come
 * back when they are ahead again. Ends when one is proven better. `alpha` is divided by the number of candidates.
 * @returns one comparison per candidate, in the given order.
 */
export async function race(
  suite: ProblemRunner,
  candidates: readonly Variant[],
  options: CompareOptions = {},
): Promise<readonly Comparison[]> {
  mustBeRunner(suite);
  return new Race(suite, candidates, withDefaults(options)).run();
}

type Settings = CompareOptions &
  Required<Pick<CompareOptions, 'alpha' | 'usefulGain' | 'maxPairs' | 'concurrency' | 'seed' | 'runs' | 'guards'>>;

/** Why a race ended before each result was known. */
type Stop = Extract<Conclusion, { kind: 'unknown' }>;

/** Draws after which half as many candidates run (successive halving: Karnin, Koren and Somekh 2013), and the fewest. */
const HALVING = { draws: 60, fewest: 4 } as const;

/** Results of one draw: the baseline's, and that of each candidate that ran. */
interface Draw {
  readonly baseline: ProblemResult;
  readonly candidates: readonly (ProblemResult | undefined)[];
}

class Race {
  readonly #suite: ProblemRunner;
  readonly #candidates: readonly Variant[];
  readonly #settings: Settings;
  readonly #duels: readonly Duel[];
  readonly #id: string;
  readonly #kept: KeptRuns;

  constructor(suite: ProblemRunner, candidates: readonly Variant[], settings: Settings) {
    this.#suite = suite;
    this.#candidates = candidates;
    this.#settings = settings;
    const { alpha, seed, runs, baseline } = settings;
    const [needed, problems] = [candidates.length / alpha, suite.problems.length];
    this.#duels = candidates.map(
      ({ name }, index) => new Duel({ ...settings, candidate: name ?? nameOf(index), needed, problems }),
    );
    this.#id = comparisonId(suite, candidates, { baseline, seed });
    this.#kept = new KeptRuns(suite, { id: this.#id, runs, purse: purseOf(suite, settings) });
  }

  async run(): Promise<readonly Comparison[]> {
    const { maxPairs, onDraw } = this.#settings;
    await this.#kept.load();
    const started: Promise<Draw>[] = [];
    let stop: Stop = { kind: 'unknown', why: 'max-pairs' };
    for (let next = 0; next < maxPairs && this.#open.length > 0; next++) {
      const early = await this.#reserve(started, next);
      if (early) {
        stop = early;
        break;
      }
      // In the order of the draw: a candidate that is slow when it fails must not look good meanwhile.
      this.#count(await (started[next] as Promise<Draw>)); // reserved
      onDraw?.(next + 1);
      for (const [index, duel] of this.#duels.entries())
        if (duel.isProven) await this.#findLosses(duel, index + 1, maxPairs - next - 1);
      if (this.#winner) stop = { kind: 'unknown', why: 'other-won' };
    }
    await Promise.all(started);
    return this.#duels.map((duel) => duel.result ?? duel.end(stop));
  }

  /** Starts the next draw, and others at the same time. Returns why it cannot start. */
  async #reserve(started: Promise<Draw>[], next: number): Promise<Stop | undefined> {
    this.#startAhead(started, next);
    while (started[next] === undefined) {
      if (this.#settings.signal?.aborted) return { kind: 'unknown', why: 'stopped' };
      const { failure: error, refused: why } = this.#kept;
      if (error !== undefined) return { kind: 'unknown', why: 'all-failed', error };
      // Other benchmarks may share the purse, and return what they have reserved.
      const end = this.#kept.nextEnd();
      if (!end) return { kind: 'unknown', why: why ?? 'stopped' };
      await end;
      this.#startAhead(started, next);
    }
    return undefined;
  }

  /** Starts the draws that may run at the same time as the next one that is counted. */
  #startAhead(started: Promise<Draw>[], next: number): void {
    const { maxPairs, concurrency, signal } = this.#settings;
    const ahead = Math.max(1, Math.floor(concurrency / this.#versionsOf(next).length));
    while (started.length < Math.min(maxPairs, next + ahead) && !signal?.aborted) {
      if (this.#kept.failure !== undefined) return;
      const versions = this.#versionsOf(started.length);
      if (!this.#kept.reserve(started.length, versions)) return;
      const draw = this.#draw(started.length, versions);
      // The failure of each draw is thrown when it is counted; one that no count reaches must not end the process.
      draw.catch(() => {});
      started.push(draw);
    }
  }

  /** Version 0 is the baseline; the candidates follow. */
  #variant(version: number): Variant | undefined {
    return version === 0 ? this.#settings.baseline : this.#candidates[version - 1];
  }

  /** Versions of a draw that starts now. Results so far choose them, so each bet stays a martingale. */
  #versionsOf(draw: number): readonly number[] {
    const count = this.#duels.length / 2 ** Math.floor(draw / HALVING.draws);
    const standing = new Map(this.#open.map((index) => [index, this.#duels[index]?.gain ?? 0]));
    const best = [...standing.keys()].sort((a, b) => (standing.get(b) ?? 0) - (standing.get(a) ?? 0) || a - b);
    return [0, ...best.slice(0, Math.max(HALVING.fewest, Math.ceil(count))).map((index) => index + 1)];
  }

  /** Candidates whose result is open; none once one has won. */
  get #open(): readonly number[] {
    if (this.#winner) return [];
    return this.#duels.flatMap((duel, index) => (duel.result ? [] : [index]));
  }

  get #winner(): Duel | undefined {
    return this.#duels.find(({ result }) => result?.kind === this.#wanted || result?.kind === 'better');
  }

  /** Kind of the result that answers the question. */
  get #wanted(): Comparison['kind'] {
    return this.#settings.notWorseBy === undefined ? 'better' : 'not-worse';
  }

  #count({ baseline, candidates }: Draw): void {
    for (const [index, result] of candidates.entries()) if (result) this.#duels[index]?.count(baseline, result);
  }

  /**
   * Runs pairs of a proven candidate on problems that it may have lost: those without a pair, and those that the baseline
   * always solved and the candidate never, until enough pairs show it or one shows the opposite.
   */
  async #findLosses(duel: Duel, version: number, maxPairs: number): Promise<void> {
    const { concurrency, signal } = this.#settings;
    const { problems } = this.#suite;
    let [next, pairs] = [0, 0];
    const work = async () => {
      for (let index = next++; index < problems.length; index = next++) {
        const problem = problems[index] as Problem; // an index below the length
        for (let run = 1; duel.mayBeLost(problem.id) && pairs < maxPairs && !signal?.aborted; run++) {
          const draw = -(index * duel.runsNeeded + run);
          if (!this.#kept.reserve(draw, [0, version])) return;
          pairs++;
          const results = await this.#pair(problem, draw, [0, version]);
          // A cached answer is no repeat, so more of them show nothing.
          if (!duel.recheck(results.get(0) as ProblemResult, results.get(version) as ProblemResult)) break;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, Math.floor(concurrency / 2)) }, work));
    if (!signal?.aborted) duel.settle(problems.map(({ id }) => id));
  }

  /** Runs versions on one problem, in an order that the draw determines. */
  async #pair(problem: Problem, draw: number, versions: readonly number[]): Promise<Map<number, ProblemResult>> {
    const results = new Map<number, ProblemResult>();
    for (const version of chance.shuffled(versions, (one) => `${this.#id}:${draw}:${one}`))
      results.set(version, await this.#kept.result(problem, draw, version, this.#variant(version)));
    return results;
  }

  /** Runs the baseline and the open candidates on one problem, in an order that the draw determines. */
  async #draw(draw: number, versions: readonly number[]): Promise<Draw> {
    const { problems } = this.#suite;
    const place = chance.hashUnit(`${this.#id}:${draw}`, this.#settings.seed);
    const problem = problems[Math.floor(place * problems.length)] as Problem; // an index below the length
    const results = await this.#pair(problem, draw, versions);
    return {
      baseline: results.get(0) as ProblemResult, // version 0 always runs
      candidates: this.#candidates.map((_, index) => results.get(index + 1)),
    };
  }
}

function nameOf(index: number): string {
  return index === 0 ? 'candidate' : `candidate ${index + 1}`;
}

function withDefaults(options: CompareOptions): Settings {
  const settings = {
    alpha: 0.05,
    usefulGain: 0.05,
    maxPairs: 700,
    concurrency: 4,
    seed: 1,
    guards: {},
    ...options,
    runs: options.runs ?? new MemoryRuns(),
  };
  const { alpha, usefulGain, notWorseBy = usefulGain, betterBy = 0, maxPairs, concurrency } = settings;
  for (const [name, value] of Object.entries({ alpha, usefulGain, notWorseBy }))
    mustBe(Number.isFinite(value) && value > 0 && value < 1, name, value, 'a number above 0 and below 1');
  mustBe(
    Number.isFinite(betterBy) && betterBy >= 0 && betterBy < 1,
    'betterBy',
    betterBy,
    'a number from 0 and below 1',
  );
  mustBe(Number.isFinite(settings.seed), 'seed', settings.seed, 'a number');
  mustBe(Number.isInteger(maxPairs) && maxPairs > 0, 'maxPairs', maxPairs, 'a whole number from 1');
  mustBe(Number.isInteger(concurrency) && concurrency > 0, 'concurrency', concurrency, 'a whole number from 1');
  return settings;
}
