import { mustBe } from '../bench/check-option.js';
import { type CompareOptions, compare } from '../bench/compare.js';
import { MemoryRuns } from '../bench/memory-runs.js';
import type { Variant } from '../bench/problem-runner.js';
import type { Suite } from '../bench/suite.js';
import type { BenchRun, BenchRuns } from '../contract/bench-run.js';
import type { ImprovementLog } from '../contract/improvement-log.js';
import { hashHex } from '../lib/hash.js';
import { levelOf } from '../verify/level.js';
import type { ImprovementStep, Round } from './improvement-step.js';
import { MemoryLog } from './memory-log.js';
import type { FailedProblem, Propose, ScoredProposal } from './proposal.js';

export interface ImproveOptions {
  /** Makes candidates from the failures of the open half. */
  readonly propose: Propose;
  /** Limit on rounds, from 1. Default 10. */
  readonly rounds?: number;
  /** Steps in which candidates are added to a draft before it is compared, from 1. Default 6. */
  readonly draftSteps?: number;
  /** Highest share of useless drafts among those that are kept, on average: above 0, below 1. Default 0.05. */
  readonly alpha?: number;
  /** Ends after so many rounds without a gain, from 1. Default 3. */
  readonly patience?: number;
  /** Ends when the best version reaches this mean score on the open half: 0 to 1. Default 1. */
  readonly target?: number;
  /** Limit on the cost of all runs, in US dollars, if runs state their cost. Default: none. */
  readonly maxUsd?: number;
  /** Runs of each problem of the open half in each round, from 2. Default 3. */
  readonly repeats?: number;
  /** Limits of each comparison. */
  readonly comparison?: Pick<CompareOptions, 'maxPairs' | 'usefulGain' | 'guards'>;
  /** Runs at the same time. Default 4. */
  readonly concurrency?: number;
  /** Another seed starts a new improvement. Default 1. */
  readonly seed?: number;
  /** Keeps every run and, with `log`, every step: an interrupted improvement then repeats nothing. Default: in memory. */
  readonly runs?: BenchRuns;
  readonly log?: ImprovementLog<ImprovementStep>;
  /** Ends the improvement after the runs in progress. The same call continues it. */
  readonly signal?: AbortSignal;
  readonly onStep?: (step: ImprovementStep) => void;
}

/** Result of an improvement. Nothing has been applied: a person decides what becomes of the best version. */
export interface Improvement {
  /** Best version: the kept drafts together. The agent as it is, if none was kept. */
  readonly best: Variant;
  readonly rounds: readonly Round[];
  readonly tried: readonly ScoredProposal[];
  readonly costUsd: number;
  readonly ended: 'rounds' | 'no-gain' | 'no-proposals' | 'target' | 'max-usd' | 'stopped';
}

/**
 * Improves an agent on a benchmark, round by round. A draft collects candidates that score more on the open half, which
 * is cheap and proves nothing. Then it is compared with the best version on the held-out half, and kept if it is proven
 * better. Over all rounds, at most a share `alpha` of the kept drafts is useless on average (e-LOND, see `levelOf`).
 * @throws LoopError `invalid-input` for an option out of range, or a benchmark without two halves.
 */
export async function iterate(suite: Suite, options: ImproveOptions): Promise<Improvement> {
  return new Iteration(suite, options).run();
}

type Proposed = Extract<ImprovementStep, { kind: 'proposed' }>;
type Settings = ImproveOptions &
  Required<Pick<ImproveOptions, 'rounds' | 'draftSteps' | 'alpha' | 'patience' | 'target' | 'seed'>>;

class Iteration {
  readonly #open: Suite;
  readonly #heldOut: Suite;
  readonly #options: Settings;
  readonly #id: string;
  readonly #log: ImprovementLog<ImprovementStep>;
  readonly #runs: CountedRuns;
  readonly #tried: ScoredProposal[] = [];
  readonly #rounds: Round[] = [];
  readonly #maxUsd: number;
  #best: Variant = {};
  #draft: Variant = {};
  /** Steps of the draft in progress. */
  #drafted = 0;
  /** Last step, if an interrupted program has proposed candidates and not scored them. */
  #unscored: Proposed | undefined;

  constructor(suite: Suite, options: ImproveOptions) {
    this.#options = withDefaults(options);
    this.#open = suite.half('open');
    this.#heldOut = suite.half('held-out');
    this.#id = hashHex(JSON.stringify(['improve', suite.name, suite.problems, this.#options.seed]));
    this.#log = options.log ?? new MemoryLog();
    this.#runs = new CountedRuns(options.runs ?? new MemoryRuns());
    this.#maxUsd = options.maxUsd ?? Number.POSITIVE_INFINITY;
  }

  async run(): Promise<Improvement> {
    const { rounds, patience } = this.#options;
    for (const step of await this.#log.load(this.#id)) this.#take(step);
    while (this.#rounds.length < rounds && this.#withoutGain < patience) {
      const ended = (await this.#makeDraft()) ?? (await this.#decide());
      if (ended) return this.#result(ended);
    }
    return this.#result(this.#withoutGain < patience ? 'rounds' : 'no-gain');
  }

  /** Number of rounds since the last gain. */
  get #withoutGain(): number {
    return this.#rounds.length - 1 - this.#rounds.findLastIndex(({ isKept }) => isKept);
  }

  get #round(): number {
    return this.#rounds.length + 1;
  }

  /** Whether a candidate of this round is part of the draft. */
  get #isChanged(): boolean {
    return this.#tried.some(({ round, isChosen }) => round === this.#round && isChosen);
  }

  /** Adds candidates to the draft while they score more on the open half. Returns why the improvement ends meanwhile. */
  async #makeDraft(): Promise<Improvement['ended'] | undefined> {
    while (this.#drafted < this.#options.draftSteps) {
      const proposed = this.#unscored ?? (await this.#propose());
      if (typeof proposed === 'string') return proposed;
      if (proposed.proposals.length === 0) return this.#isChanged ? undefined : 'no-proposals';
      const ended = await this.#score(proposed);
      if (ended) return ended;
    }
    return undefined;
  }

  /** Measures the draft on the open half and asks for candidates. */
  async #propose(): Promise<Proposed | Improvement['ended']> {
    const { repeats = 3, target, propose, signal = new AbortController().signal } = this.#options;
    const measured = await this.#open.baseline({ ...this.#limits(), repeats, variant: this.#draft });
    if (measured.stopped) return measured.stopped;
    const score = measured.score.value;
    if (score >= target && !this.#isChanged) return 'target';
    const problems = new Map(this.#open.problems.map((problem) => [problem.id, problem]));
    const failures = measured.problems.flatMap(({ problemId, score: mean, error }): readonly FailedProblem[] => {
      const problem = problems.get(problemId);
      return problem && mean < 1 ? [{ problem, score: mean, ...(error !== undefined && { error }) }] : [];
    });
    const request = { round: this.#round, draft: this.#draft, score, failures, tried: this.#tried, signal };
    const proposals = await propose(request);
    const step = { kind: 'proposed', round: this.#round, score, proposals, costUsd: this.#runs.takeCost() } as const;
    await this.#add(step);
    return step;
  }

  /** Runs the candidates once on the open half. The best one becomes part of the draft if it scores more. */
  async #score({ score, proposals }: Proposed): Promise<Improvement['ended'] | undefined> {
    const scores: number[] = [];
    for (const { variant } of proposals) {
      const measured = await this.#open.baseline({
        ...this.#limits(),
        repeats: 1,
        variant: merged(this.#draft, variant),
      });
      if (measured.stopped) return measured.stopped;
      scores.push(measured.score.value);
    }
    const highest = Math.max(...scores);
    const chosen = highest > score ? scores.indexOf(highest) : -1;
    const variant = proposals[chosen]?.variant;
    const tried = proposals.map((proposal, at) => ({
      ...proposal,
      round: this.#round,
      score: scores[at] ?? 0,
      isChosen: at === chosen,
    }));
    const draft = variant ? merged(this.#draft, variant) : this.#draft;
    await this.#add({ kind: 'scored', round: this.#round, tried, draft, costUsd: this.#runs.takeCost() });
    return undefined;
  }

  /** Compares the draft with the best version on the held-out half. The level depends on the comparisons before. */
  async #decide(): Promise<Improvement['ended'] | undefined> {
    const compared = this.#rounds.filter(({ comparison }) => comparison !== undefined).length;
    const confirmed = this.#rounds.filter(({ isKept }) => isKept).length;
    const comparison = this.#isChanged
      ? await compare(this.#heldOut, this.#draft, {
          ...this.#options.comparison,
          ...this.#limits(),
          baseline: this.#best,
          alpha: levelOf({ trial: compared + 1, confirmed, attempt: 1 }, this.#options.alpha),
        })
      : undefined;
    if (this.#options.signal?.aborted) return 'stopped';
    await this.#add({
      kind: 'decided',
      round: this.#round,
      draft: this.#draft,
      ...(comparison && { comparison }),
      isKept: comparison?.kind === 'better',
      costUsd: this.#runs.takeCost(),
    });
    return comparison?.kind === 'inconclusive' && comparison.why === 'max-usd' ? 'max-usd' : undefined;
  }

  #limits() {
    const { concurrency, seed, signal } = this.#options;
    return {
      // Each step draws other problems and orders.
      seed: seed * 1_000_000 + this.#round * 1_000 + this.#drafted,
      runs: this.#runs,
      maxUsd: Math.max(Number.MIN_VALUE, this.#maxUsd - this.#runs.totalUsd),
      ...(concurrency !== undefined && { concurrency }),
      ...(signal && { signal }),
    };
  }

  #take(step: ImprovementStep): void {
    this.#runs.addCost(step.costUsd);
    this.#unscored = step.kind === 'proposed' ? step : undefined;
    if (step.kind === 'scored') {
      this.#tried.push(...step.tried);
      this.#draft = step.draft;
      this.#drafted++;
    }
    if (step.kind !== 'decided') return;
    const { kind: _, costUsd: _cost, ...round } = step;
    this.#rounds.push(round);
    if (round.isKept) this.#best = round.draft;
    this.#draft = this.#best;
    this.#drafted = 0;
  }

  async #add(step: ImprovementStep): Promise<void> {
    await this.#log.add(this.#id, step);
    this.#take(step);
    this.#options.onStep?.(step);
  }

  #result(ended: Improvement['ended']): Improvement {
    const costUsd = this.#runs.totalUsd;
    return { best: this.#best, rounds: this.#rounds, tried: this.#tried, costUsd, ended };
  }
}

/** Returns a version with the changes of a candidate. */
function merged(version: Variant, { name, prompts, policy }: Variant): Variant {
  return {
    ...(name !== undefined && { name }),
    prompts: { ...version.prompts, ...prompts },
    policy: { ...version.policy, ...policy },
  };
}

function withDefaults(options: ImproveOptions): Settings {
  const settings = { rounds: 10, draftSteps: 6, alpha: 0.05, patience: 3, target: 1, seed: 1, ...options };
  const { rounds, draftSteps, alpha, patience, target } = settings;
  mustBe(Number.isInteger(rounds) && rounds > 0, 'rounds', rounds, 'a whole number from 1');
  mustBe(Number.isInteger(draftSteps) && draftSteps > 0, 'draftSteps', draftSteps, 'a whole number from 1');
  mustBe(alpha > 0 && alpha < 1, 'alpha', alpha, 'a number above 0 and below 1');
  mustBe(Number.isInteger(patience) && patience > 0, 'patience', patience, 'a whole number from 1');
  mustBe(target >= 0 && target <= 1, 'target', target, 'a number from 0 to 1');
  return settings;
}

/** Runs with their cost, also that of runs which an interrupted program has paid. */
class CountedRuns implements BenchRuns {
  readonly #runs: BenchRuns;
  /** Cost of the finished steps, and of the one in progress. */
  #finishedUsd = 0;
  #stepUsd = 0;

  constructor(runs: BenchRuns) {
    this.#runs = runs;
  }

  get totalUsd(): number {
    return this.#finishedUsd + this.#stepUsd;
  }

  /** Returns the cost of the step in progress, and begins the next. */
  takeCost(): number {
    const cost = this.#stepUsd;
    this.#stepUsd = 0;
    return cost;
  }

  addCost(usd: number): void {
    this.#finishedUsd += usd;
  }

  async load(comparison: string): Promise<readonly BenchRun[]> {
    const runs = await this.#runs.load(comparison);
    for (const { result } of runs) this.#stepUsd += result.costUsd ?? 0;
    return runs;
  }

  async save(run: BenchRun): Promise<void> {
    await this.#runs.save(run);
    this.#stepUsd += run.result.costUsd ?? 0;
  }
}
