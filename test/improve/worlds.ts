import { type Problem, Suite, type Variant } from 'rsi-loop/bench';
import { iterate, type Propose } from 'rsi-loop/improve';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const PROBLEMS = 70;
const RUN_USD = 0.01;

/** Simulated agent whose skill depends on the sentences of its prompt. */
export interface World {
  readonly name: string;
  /** Gain of each sentence, in points of the score. The proposer tries them in random order. */
  readonly sentences: readonly number[];
}

export const USELESS: World = { name: 'only useless sentences', sentences: Array.from({ length: 40 }, () => 0) };
/** Most changes do nothing, some harm, a few help. */
export const MIXED: World = {
  name: '4 good, 6 harmful, 30 useless sentences',
  sentences: [0.12, 0.1, 0.08, 0.08, ...Array.from({ length: 6 }, () => -0.08), ...Array.from({ length: 30 }, () => 0)],
};

/** End of a life: the sentences that were kept, and what they really change. */
export interface Life {
  readonly kept: readonly number[];
  /** Real gain of the final version, in points of the score. */
  readonly gain: number;
}

/** Way to choose among candidates with a number of runs. */
export type Method = (world: Simulation, runs: number) => Promise<readonly number[]>;

/** One life of a world: the benchmark, and what a version of the prompt is worth. */
export class Simulation {
  readonly random: Random;
  readonly problems: readonly Problem[];
  readonly #skills: readonly number[];
  readonly #gains: readonly number[];

  constructor({ sentences }: World, seed: number) {
    this.random = seededRandom(seed);
    this.#gains = sentences;
    this.#skills = Array.from({ length: PROBLEMS }, () => 0.15 + 0.7 * Math.sin((Math.PI / 2) * this.random()) ** 2);
    this.problems = this.#skills.map((_, index) => ({
      id: `p${index}`,
      input: index,
      split: index % 2 === 0 ? 'open' : 'held-out',
    }));
  }

  /** Solves a problem once: 1 or 0. */
  solve(problem: number, kept: readonly number[]): number {
    return this.random() < Math.min(1, Math.max(0, (this.#skills[problem] ?? 0) + this.gainOf(kept))) ? 1 : 0;
  }

  gainOf(kept: readonly number[]): number {
    return kept.reduce((sum, at) => sum + (this.#gains[at] ?? 0), 0);
  }

  /** Returns so many sentences that are not in the prompt, at random. */
  candidates(kept: readonly number[], count: number): readonly number[] {
    const open = this.#gains.map((_, at) => at).filter((at) => !kept.includes(at));
    return Array.from({ length: Math.min(count, open.length) }, () =>
      open.splice(Math.floor(this.random() * open.length), 1),
    ).flat();
  }
}

/** Runs one life with a method and a number of runs. */
export async function live(
  world: World,
  method: Method,
  { seed, runs }: { seed: number; runs: number },
): Promise<Life> {
  const simulation = new Simulation(world, seed);
  const kept = await method(simulation, runs);
  return { kept, gain: simulation.gainOf(kept) };
}

const CANDIDATES = 4;

/** `iterate` of this package. */
export const proven: Method = async (simulation, runs) => {
  const suite = new Suite('simulated', {
    problems: simulation.problems,
    run: ({ input }, { prompts }) => ({
      answer: simulation.solve(Number(input), sentencesOf({ prompts })),
      costUsd: RUN_USD,
    }),
    score: Number,
    clock: new ManualClock(0),
  });
  const propose: Propose = ({ draft }) => {
    const kept = sentencesOf(draft);
    return simulation.candidates(kept, CANDIDATES).map((at) => ({
      variant: { name: `sentence ${at}`, prompts: { system: [...kept, at].join(' ') } },
      hypothesis: 'it helps',
    }));
  };
  const { best } = await iterate(suite, {
    propose,
    rounds: 10,
    patience: 10,
    repeats: 1,
    draftSteps: 12,
    maxUsd: runs * RUN_USD,
    comparison: { maxPairs: 300 },
  });
  return sentencesOf(best);
};

/** The naive rule: keep a candidate if its mean over all problems is above that of the best version. */
export const meanRose: Method = async (simulation, runs) => {
  let kept: readonly number[] = [];
  let best = meanOf(simulation, kept);
  for (let used = PROBLEMS; used + PROBLEMS <= runs; used += PROBLEMS) {
    const [at] = simulation.candidates(kept, 1);
    if (at === undefined) break;
    const mean = meanOf(simulation, [...kept, at]);
    if (mean <= best) continue;
    kept = [...kept, at];
    best = mean;
  }
  return kept;
};

const MINIBATCH = 3;

/**
 * The rule of GEPA (Agrawal et al. 2025), without its reflection: a candidate that improves on a minibatch of 3 is run on
 * the validation half, and the highest mean there wins.
 */
export const minibatch: Method = async (simulation, runs) => {
  const validation = simulation.problems.filter(({ split }) => split === 'held-out').map(({ input }) => Number(input));
  const feedback = simulation.problems.filter(({ split }) => split === 'open').map(({ input }) => Number(input));
  const scoreOn = (problems: readonly number[], kept: readonly number[]) =>
    problems.reduce((sum, problem) => sum + simulation.solve(problem, kept), 0);
  let kept: readonly number[] = [];
  let best = scoreOn(validation, kept);
  let used = validation.length;
  while (used + 2 * MINIBATCH + validation.length <= runs) {
    const [at] = simulation.candidates(kept, 1);
    if (at === undefined) break;
    const batch = Array.from(
      { length: MINIBATCH },
      () => feedback[Math.floor(simulation.random() * feedback.length)] ?? 0,
    );
    used += 2 * MINIBATCH;
    if (scoreOn(batch, [...kept, at]) <= scoreOn(batch, kept)) continue;
    used += validation.length;
    const score = scoreOn(validation, [...kept, at]);
    if (score <= best) continue;
    kept = [...kept, at];
    best = score;
  }
  return kept;
};

function meanOf(simulation: Simulation, kept: readonly number[]): number {
  return simulation.problems.reduce((sum, { input }) => sum + simulation.solve(Number(input), kept), 0) / PROBLEMS;
}

function sentencesOf({ prompts }: Variant): readonly number[] {
  return prompts?.system === undefined ? [] : prompts.system.split(' ').map(Number);
}
