import { LoopError } from 'rsi-loop';
import { chance } from 'rsi-loop/kit';
import type { ProblemResult } from './bench-run.js';
import { type CompareOptions, type CompareSettings, withDefaults } from './compare-options.js';
import type { Comparison, Conclusion } from './comparison.js';
import { Duel } from './duel.js';
import { KeptRuns } from './kept-runs.js';
import type { Problem } from './problem.js';
import type { ProblemRunner, Variant } from './problem-runner.js';
import { mustBeRunner } from './problem-runner.js';
import { purseOf } from './purse-of.js';
import { comparisonId } from './run-id.js';
import { Units, unitOf } from './units.js';

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

/** Why a race ended before each result was known. */
type Stop = Extract<Conclusion, { kind: 'unknown' }>;

/** Draws after which half as many candidates run (successive halving: Karnin, Koren and Somekh 2013), and the fewest. */
const HALVING = { draws: 60, fewest: 4 } as const;

/** Problems of one draw by the number of their pair. */
interface Drawn {
  readonly unit: string;
  readonly numbered: ReadonlyMap<number, Problem>;
}

/** Results of one draw, one for each of its problems: the baseline's, and those of each candidate that ran. */
interface Draw {
  readonly unit: string;
  readonly baseline: readonly ProblemResult[];
  readonly candidates: readonly (readonly ProblemResult[] | undefined)[];
}

class Race {
  readonly #suite: ProblemRunner;
  readonly #candidates: readonly Variant[];
  readonly #settings: CompareSettings;
  readonly #duels: readonly Duel[];
  readonly #id: string;
  readonly #kept: KeptRuns;
  readonly #units: Units;
  /** Limit on draws: a draw has one pair, or those of a group. */
  readonly #draws: number;
  /** Groups with runs in progress. Their next draw waits, so that their runs are not mixed. */
  readonly #running = new Set<string>();

  constructor(suite: ProblemRunner, candidates: readonly Variant[], settings: CompareSettings) {
    this.#suite = suite;
    this.#candidates = candidates;
    this.#settings = settings;
    const { alpha, seed, runs, baseline, maxPairs } = settings;
    const units = new Units(suite.problems);
    this.#units = units;
    this.#draws = Math.max(1, Math.round(maxPairs / units.meanSize));
    const duel = {
      ...settings,
      needed: candidates.length / alpha,
      problems: suite.problems.length,
      shareOf: (unit: string) => units.shareOf(unit),
      maxPairs: this.#draws,
    };
    this.#duels = candidates.map(({ name }, index) => new Duel({ ...duel, candidate: name ?? nameOf(index) }));
    this.#id = comparisonId(suite, candidates, { baseline, seed });
    this.#kept = new KeptRuns(suite, { id: this.#id, runs, purse: purseOf(suite, settings) });
  }

  async run(): Promise<readonly Comparison[]> {
    const { onDraw } = this.#settings;
    const [draws, { meanSize }] = [this.#draws, this.#units];
    await this.#kept.load();
    const started: Promise<Draw>[] = [];
    let stop: Stop = { kind: 'unknown', why: 'max-pairs' };
    for (let next = 0; next < draws && this.#open.length > 0; next++) {
      const early = await this.#reserve(started, next);
      if (early) {
        stop = early;
        break;
      }
      // In the order of the draw: a candidate that is slow when it fails must not look good meanwhile.
      this.#count(await (started[next] as Promise<Draw>)); // reserved
      onDraw?.(next + 1);
      for (const [index, duel] of this.#duels.entries())
        if (duel.isProven) await this.#findLosses(duel, index + 1, Math.round((draws - next - 1) * meanSize));
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
    const { concurrency, signal } = this.#settings;
    const ahead = Math.max(1, Math.floor(concurrency / this.#versionsOf(next).length));
    while (started.length < Math.min(this.#draws, next + ahead) && !signal?.aborted) {
      if (this.#kept.failure !== undefined) return;
      const versions = this.#versionsOf(started.length);
      const problems = this.#problemsOf(started.length);
      if (this.#running.has(problems.unit)) return;
      if (!this.#kept.reserve([...problems.numbered.keys()], versions)) return;
      const draw = this.#draw(problems, versions);
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

  #count({ unit, baseline, candidates }: Draw): void {
    for (const [index, results] of candidates.entries())
      if (results) this.#duels[index]?.count(unit, baseline, results);
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
          if (!this.#kept.reserve([draw], [0, version])) return;
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

  /** Returns the problems of a draw, each with the number of its pair. The chance of a group is its share of the problems. */
  #problemsOf(draw: number): Drawn {
    const { problems } = this.#suite;
    const place = chance.hashUnit(`${this.#id}:${draw}`, this.#settings.seed);
    const problem = problems[Math.floor(place * problems.length)] as Problem; // an index below the length
    const first = draw * this.#units.largest;
    return { unit: unitOf(problem), numbered: new Map(this.#units.of(problem).map((one, at) => [first + at, one])) };
  }

  /** Runs the baseline and the open candidates on the problems of a draw, one after the other. */
  async #draw({ unit, numbered }: Drawn, versions: readonly number[]): Promise<Draw> {
    if (numbered.size > 1) this.#running.add(unit);
    const all: ReadonlyMap<number, ProblemResult>[] = [];
    try {
      for (const [number, problem] of numbered) all.push(await this.#pair(problem, number, versions));
    } finally {
      this.#running.delete(unit);
    }
    const resultsOf = (version: number) => all.flatMap((results) => results.get(version) ?? []);
    return {
      unit,
      baseline: resultsOf(0),
      candidates: this.#candidates.map((_, index) => (versions.includes(index + 1) ? resultsOf(index + 1) : undefined)),
    };
  }
}

function nameOf(index: number): string {
  return index === 0 ? 'candidate' : `candidate ${index + 1}`;
}
