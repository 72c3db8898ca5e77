import { compare, Suite, type Variant } from 'rsi-loop/bench';
import { iterate, type Propose } from 'rsi-loop/improve';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

/** Effect of a word in the prompt, in points of the score. */
interface Effect {
  readonly gain: number;
  /** Gain on the open half; default: the same. */
  readonly openGain?: number;
}

/** Simulated agent whose skill depends on the words of its prompt. */
export interface World {
  readonly name: string;
  /** Effects of the words that a proposer may add, in random order. */
  readonly words: readonly Effect[];
  /** Loss for each word, as long prompts have it. */
  readonly lossPerWord?: number;
  /** Each candidate rewrites the whole prompt, so that no two of them can be combined. */
  readonly areRewrites?: boolean;
}

const words = (count: number, gain: number, openGain = gain): readonly Effect[] =>
  Array.from({ length: count }, () => ({ gain, openGain }));
const MIXED_WORDS = [...[0.12, 0.1, 0.08, 0.08].map((gain) => ({ gain })), ...words(6, -0.08), ...words(30, 0)];

export const USELESS: World = { name: '40 useless', words: words(40, 0) };
export const MIXED: World = { name: '4 good, 6 harmful, 30 useless', words: MIXED_WORDS };
export const WEAK: World = {
  name: '12 weak (3 points each), 28 useless',
  words: [...words(12, 0.03), ...words(28, 0)],
};
export const WORLDS: readonly World[] = [
  USELESS,
  MIXED,
  WEAK,
  { name: '2 strong, 38 useless', words: [{ gain: 0.2 }, { gain: 0.15 }, ...words(38, 0)] },
  {
    name: '3 good, 14 harmful, 6 that only help on the open half, 17 useless',
    words: [...words(3, 0.1), ...words(14, -0.12), ...words(6, 0, 0.15), ...words(17, 0)],
  },
  { name: '4 good, 6 harmful, 30 useless; each costs a point', words: MIXED_WORDS, lossPerWord: 0.01 },
  { name: '4 good, 6 harmful, 30 useless; each rewrites the prompt', words: MIXED_WORDS, areRewrites: true },
];

/** End of a life. */
export interface Life {
  /** Real gain of the best candidate on the held-out half, 0 to 1; `undefined` if there is none. */
  readonly found: number | undefined;
  /** The same of what was proven; `undefined` if nothing was. */
  readonly proven: number | undefined;
  /** Words of what was proven, and those of them that do not help. */
  readonly words?: { readonly all: number; readonly useless: number };
  /** The same of the kept draft before it was shortened, with its real gain. */
  readonly whole?: { readonly all: number; readonly useless: number; readonly gain: number };
  readonly runs: number;
}

/** Way to choose among candidates with a number of runs. Returns the best prompt, and whether it is proven. */
export type Method = (
  life: Simulation,
  runs: number,
) => Promise<{
  readonly best: string | undefined;
  readonly proven: string | undefined;
  /** Version that was proven before it was shortened. */
  readonly whole?: string | undefined;
}>;

const PROBLEMS = 70;
const CANDIDATES = 4;
const START = 'Solve the problem.';

/** One life of a world: the benchmark, and what a prompt is worth. */
export class Simulation {
  readonly random: Random;
  readonly suite: Suite;
  readonly #world: World;
  readonly #skills: readonly number[];
  readonly #gains = new Map<string, { readonly open: number; readonly heldOut: number }>();
  runs = 0;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.random = seededRandom(seed);
    this.#skills = Array.from({ length: PROBLEMS }, () => 0.15 + 0.7 * Math.sin((Math.PI / 2) * this.random()) ** 2);
    this.suite = new Suite('simulated', {
      problems: this.#skills.map((_, index) => ({
        id: `p${index}`,
        input: index,
        split: isOpen(index) ? 'open' : 'held-out',
      })),
      run: ({ input }, { prompts }) => this.solve(Number(input), prompts.system ?? START),
      score: Number,
      clock: new ManualClock(0),
    });
  }

  /** Solves a problem once: 1 or 0. */
  solve(problem: number, prompt: string): number {
    this.runs++;
    return this.random() < this.#skillOf(problem, prompt) ? 1 : 0;
  }

  /** Mean gain of a prompt on the held-out half. */
  gainOf(prompt: string): number {
    const heldOut = this.#skills.map((_, index) => index).filter((index) => !isOpen(index));
    const gains = heldOut.map((index) => this.#skillOf(index, prompt) - this.#skillOf(index, START));
    return gains.reduce((sum, gain) => sum + gain, 0) / heldOut.length;
  }

  /** Counts the words of a prompt, and those that do not help on the held-out half. */
  wordsOf(prompt: string): { readonly all: number; readonly useless: number } {
    const { words, lossPerWord = 0 } = this.#world;
    const used = [...wordsOf(prompt)];
    return { all: used.length, useless: used.filter((at) => (words[at]?.gain ?? 0) <= lossPerWord).length };
  }

  /** Returns prompts with one word more, at random. */
  candidates(prompt: string, count = 1): readonly string[] {
    const known = wordsOf(prompt);
    const open = this.#world.words.map((_, at) => at).filter((at) => !known.has(at));
    const chosen = Array.from({ length: Math.min(count, open.length) }, () =>
      open.splice(Math.floor(this.random() * open.length), 1),
    ).flat();
    return chosen.map((at) =>
      this.#world.areRewrites ? `${prompt.slice(0, -1)}, word${at}.` : `${prompt} Mind word${at}.`,
    );
  }

  #skillOf(problem: number, prompt: string): number {
    const gains = this.#gains.get(prompt) ?? this.#read(prompt);
    return Math.min(1, Math.max(0, (this.#skills[problem] ?? 0) + (isOpen(problem) ? gains.open : gains.heldOut)));
  }

  #read(prompt: string) {
    const { words, lossPerWord = 0 } = this.#world;
    const effects = [...wordsOf(prompt)].flatMap((at) => words[at] ?? []);
    const loss = lossPerWord * effects.length;
    const gains = {
      open: effects.reduce((sum, { gain, openGain = gain }) => sum + openGain, -loss),
      heldOut: effects.reduce((sum, { gain }) => sum + gain, -loss),
    };
    this.#gains.set(prompt, gains);
    return gains;
  }
}

/** Runs one life with a method and a number of runs. */
export async function live(
  world: World,
  method: Method,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<Life> {
  const life = new Simulation(world, seed);
  const { best, proven, whole } = await method(life, runs);
  const gainOf = (prompt: string | undefined) => (prompt === undefined ? undefined : life.gainOf(prompt));
  return {
    found: gainOf(best),
    proven: gainOf(proven),
    ...(proven !== undefined && { words: life.wordsOf(proven) }),
    ...(whole !== undefined && { whole: { ...life.wordsOf(whole), gain: life.gainOf(whole) } }),
    runs: life.runs,
  };
}

/** `iterate` of this package. */
export const proven: Method = async (life, runs) => {
  const propose: Propose = ({ draft }) =>
    life.candidates(promptOf(draft), CANDIDATES).map((system) => ({
      variant: { prompts: { system } },
      hypothesis: 'it helps',
    }));
  const { best, rounds } = await iterate(life.suite, {
    propose,
    start: { prompts: { system: START } },
    repeats: 1,
    budget: { runs },
  });
  const proven = rounds.some(({ isKept }) => isKept) ? promptOf(best) : undefined;
  const last = rounds.findLast(({ comparison }) => comparison)?.draft;
  const whole = rounds.findLast(({ isKept, shortens }) => isKept && !shortens)?.draft;
  return { best: proven ?? (last && promptOf(last)), proven, whole: whole && promptOf(whole) };
};

/** The naive rule: keep a candidate if its mean over all problems is above that of the best version. */
export const meanRose: Method = async (life, runs) => {
  const all = Array.from({ length: PROBLEMS }, (_, index) => index);
  let best = START;
  let score = scoreOn(life, all, best);
  while (life.runs + PROBLEMS <= runs * SEARCH_SHARE) {
    const [candidate = START] = life.candidates(best);
    const mean = scoreOn(life, all, candidate);
    if (mean > score) [best, score] = [candidate, mean];
  }
  return proofOf(life, best, runs);
};

const MINIBATCH = 3;

/**
 * The rule of GEPA (Agrawal et al. 2025), without its reflection: a candidate that improves on a minibatch of 3 is run on
 * the validation half, and the highest mean there wins.
 */
export const minibatch: Method = async (life, runs) => {
  const all = Array.from({ length: PROBLEMS }, (_, index) => index);
  const [validation, feedback] = [all.filter((index) => !isOpen(index)), all.filter(isOpen)];
  let best = START;
  let score = scoreOn(life, validation, best);
  while (life.runs + 2 * MINIBATCH + validation.length <= runs * SEARCH_SHARE) {
    const [candidate = START] = life.candidates(best);
    const batch = Array.from({ length: MINIBATCH }, () => feedback[Math.floor(life.random() * feedback.length)] ?? 0);
    if (scoreOn(life, batch, candidate) <= scoreOn(life, batch, best)) continue;
    const mean = scoreOn(life, validation, candidate);
    if (mean > score) [best, score] = [candidate, mean];
  }
  return proofOf(life, best, runs);
};

/** The other rules keep as much for a proof as `iterate`, and get the same one. */
const SEARCH_SHARE = 0.8;

async function proofOf(life: Simulation, best: string, runs: number) {
  if (best === START) return { best: undefined, proven: undefined };
  const maxPairs = Math.floor((runs - life.runs) / 2);
  const { kind } = await compare(life.suite.half('held-out'), { prompts: { system: best } }, { maxPairs });
  return { best, proven: kind === 'better' ? best : undefined };
}

function scoreOn(life: Simulation, problems: readonly number[], prompt: string): number {
  return problems.reduce((sum, problem) => sum + life.solve(problem, prompt), 0);
}

function isOpen(problem: number): boolean {
  return problem % 2 === 0;
}

function wordsOf(prompt: string): ReadonlySet<number> {
  return new Set(Array.from(prompt.matchAll(/word(\d+)/g), ([, at]) => Number(at)));
}

function promptOf({ prompts }: Variant): string {
  return prompts?.system ?? START;
}
