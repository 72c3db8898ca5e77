import { race } from '../../../integrations/bench/compare.js';
import type { CompareOptions } from '../../../integrations/bench/compare-options.js';
import type { Comparison } from '../../../integrations/bench/comparison.js';
import type { Variant } from '../../../integrations/bench/problem-runner.js';
import { Suite } from '../../../integrations/bench/suite.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

/** Simulated agent on a simulated benchmark. */
export interface World {
  readonly name: string;
  /** Mean gain of the only good candidate, in points of the score; 0 if none is good. */
  readonly gain: number;
  readonly candidates: number;
  /** Races in a row, which share the chance of an error. Default 1. */
  readonly rounds?: number;
  /** Changes how a version solves a problem; default: as likely as its skill. */
  readonly solve?: Solve;
  /** Problems that name a group, in fives. Default: none does. */
  readonly isGrouped?: boolean;
  /** Creates `solve` with a memory of its own, once per life. */
  readonly open?: () => Solve;
}

type Solve = (run: SimulatedRun) => number | { readonly answer: number; readonly cached: boolean };

export interface SimulatedRun {
  readonly skill: number;
  /** Number of runs before this one, over all versions. */
  readonly run: number;
  readonly problem: number;
  readonly version: string;
  readonly random: Random;
}

const PROBLEMS = 35;

/** Runs the races of a world, with everything drawn from the seed. The good candidate is the last one. */
export async function live(world: World, seed: number, options: CompareOptions = {}): Promise<readonly Comparison[]> {
  const { suite, candidates } = simulated(world, seed);
  const { rounds = 1 } = world;
  const results: Comparison[] = [];
  for (let round = 0; round < rounds; round++)
    results.push(
      ...(await race(suite, candidates, { seed: seed + 1_000_000 * round, alpha: 0.05 / rounds, ...options })),
    );
  return results;
}

/** Returns whether "the mean rose by a point" accepts a candidate: one run of each problem with each version. */
export async function liveNaively(world: World, seed: number): Promise<boolean> {
  const { suite, candidates } = simulated(world, seed);
  for (let round = 0; round < (world.rounds ?? 1); round++) {
    const before = await suite.baseline({ repeats: 1 });
    for (const variant of candidates) {
      const now = await suite.baseline({ repeats: 1, variant });
      if (now.score.value >= before.score.value + 0.01) return true;
    }
  }
  return false;
}

/** Skills of both versions on each problem, drawn from `random`; the second one gains `gain` points on average. */
export function skillsOf(gain: number, random: Random): readonly (readonly [before: number, after: number])[] {
  const skills = Array.from({ length: PROBLEMS }, () => Math.min(0.98, Math.max(0.02, uShaped(random))));
  const after = improved(skills, gain);
  return skills.map((skill, index) => [skill, after[index] ?? skill]);
}

function simulated(world: World, seed: number): { readonly suite: Suite; readonly candidates: readonly Variant[] } {
  const random = seededRandom(seed);
  const skills = skillsOf(world.gain, random);
  const skillOf = (version: string, problem: number) => skills[problem]?.[version === 'good' ? 1 : 0] ?? 0;
  const open = world.open ?? (() => world.solve ?? (({ skill, random }: SimulatedRun) => (random() < skill ? 1 : 0)));
  const solve = open();
  let run = 0;
  const suite = new Suite(world.name, {
    problems: skills.map((_, index) => ({
      id: `p${index}`,
      input: index,
      ...(world.isGrouped && { group: `family ${familyOf(index)}` }),
    })),
    run: ({ input }, { prompts }) => {
      const version = prompts.version ?? 'baseline';
      const problem = Number(input);
      return solve({ skill: skillOf(version, problem), run: run++, problem, version, random });
    },
    score: (answer) => Number(answer),
    clock: new ManualClock(0),
  });
  const candidates = Array.from({ length: world.candidates }, (_, index): Variant => {
    const isGood = world.gain !== 0 && index === world.candidates - 1;
    return { name: `${index}`, prompts: { version: isGood ? 'good' : `useless ${index}` } };
  });
  return { suite, candidates };
}

/** Problems are mostly easy or hard: Beta(1/2, 1/2), the arcsine law. */
function uShaped(random: Random): number {
  return Math.sin((Math.PI / 2) * random()) ** 2;
}

/** Raises the odds of every problem alike, so that the mean skill rises by `gain`. */
function improved(skills: readonly number[], gain: number): readonly number[] {
  const raised = (odds: number) => skills.map((skill) => (skill * odds) / (1 - skill + skill * odds));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  let [low, high] = [1e-9, 1e9];
  for (let step = 0; step < 60; step++) {
    const middle = Math.sqrt(low * high);
    if (mean(raised(middle)) - mean(skills) < gain) low = middle;
    else high = middle;
  }
  return gain === 0 ? skills : raised(low);
}

/** Problems come in families of five. */
const FAMILY = 5;

function familyOf(problem: number): number {
  return Math.floor(problem / FAMILY);
}

/** Each version is lucky or not for five runs of a family in a row, for example by a cache that is warm for them. */
function inFamilies(): Solve {
  const streaks = new Map<string, { runs: number; readonly luck: number }>();
  return ({ skill, problem, version, random }) => {
    const family = `${version} ${familyOf(problem)}`;
    const known = streaks.get(family);
    const streak = known && known.runs < FAMILY ? known : { runs: 0, luck: random() < 0.5 ? 0.4 : -0.4 };
    streaks.set(family, streak);
    streak.runs++;
    return random() < skill + streak.luck ? 1 : 0;
  };
}

/** Worlds in which no candidate is better on average. */
export const USELESS: readonly World[] = [
  { name: 'no effect', gain: 0, candidates: 1 },
  {
    name: 'drift between runs',
    gain: 0,
    candidates: 1,
    // The provider improves from nothing to full skill over 400 runs.
    solve: ({ skill, run, random }) => (random() < skill * Math.min(1, run / 400) ? 1 : 0),
  },
  {
    name: 'flaky grader',
    gain: 0,
    candidates: 1,
    solve: ({ skill, random }) => ((random() < skill ? 1 : 0) === (random() < 0.3 ? 1 : 0) ? 0 : 1),
  },
  {
    name: 'clustered problems',
    gain: 0,
    candidates: 1,
    // Problems come in fives that are solved alike at the same time.
    solve: ({ skill, run, problem }) => (seededRandom(run * 7 + Math.floor(problem / 5))() < skill ? 1 : 0),
  },
  { name: 'families that share their luck', gain: 0, candidates: 1, isGrouped: true, open: inFamilies },
  {
    name: 'only easy and hard problems',
    gain: 0,
    candidates: 1,
    solve: ({ skill, random }) => (random() < (skill < 0.5 ? 0.02 : 0.98) ? 1 : 0),
  },
  {
    name: 'better on some, worse on others',
    gain: 0,
    candidates: 1,
    // Every second problem gains as much as the next one loses; the last of an odd number stays.
    solve: ({ problem, version, random }) => {
      const shift = version === 'baseline' || problem === PROBLEMS - 1 ? 0 : problem % 2 === 0 ? 0.3 : -0.3;
      return random() < 0.4 + shift ? 1 : 0;
    },
  },
  {
    name: 'crashes',
    gain: 0,
    candidates: 1,
    solve: ({ skill, random }) => {
      if (random() < 0.2) throw new Error('the agent crashed');
      return random() < skill ? 1 : 0;
    },
  },
  {
    name: 'cached answers',
    gain: 0,
    candidates: 1,
    // Each version answers a problem once; repeats come from its cache.
    solve: ({ skill, problem, version }) => ({
      answer: seededRandom(problem * 31 + version.length)() < skill ? 1 : 0,
      cached: true,
    }),
  },
  {
    name: 'answers cached after their first run',
    gain: 0,
    candidates: 1,
    open: () => {
      const answers = new Map<string, number>();
      return ({ skill, problem, version, random }) => {
        const key = `${version} ${problem}`;
        const known = answers.get(key);
        const answer = known ?? (random() < skill ? 1 : 0);
        answers.set(key, answer);
        return { answer, cached: known !== undefined };
      };
    },
  },
  { name: 'ten rounds in a row', gain: 0, candidates: 1, rounds: 10 },
  { name: 'best of 8', gain: 0, candidates: 8 },
  { name: 'best of 64', gain: 0, candidates: 64 },
  {
    name: 'a judge that likes the later answer',
    gain: 0,
    candidates: 1,
    solve: ({ skill, run, random }) => Math.min(1, (random() < skill ? 0.7 : 0) + (run % 2 === 1 ? 0.3 : 0)),
  },
  {
    name: 'a judge with a taste of its own',
    gain: 0,
    candidates: 1,
    // It likes the candidate's words in some problems, and dislikes them as much in others.
    solve: ({ skill, problem, version, random }) => {
      const taste = version === 'baseline' || problem === PROBLEMS - 1 ? 0 : problem % 2 === 0 ? 0.25 : -0.25;
      return Math.min(1, Math.max(0, (random() < (skill < 0.5 ? 0.3 : 0.7) ? 0.7 : 0.25) + taste));
    },
  },
  {
    name: 'a judge with half points',
    gain: 0,
    candidates: 1,
    solve: ({ skill, random }) => Math.round(10 * (0.7 * skill + 0.3 * random())) / 10,
  },
  {
    name: 'the first of two runs warms a cache',
    gain: 0,
    candidates: 1,
    solve: ({ skill, run, random }) => (random() < Math.min(1, skill + (run % 2 === 1 ? 0.2 : 0)) ? 1 : 0),
  },
];
