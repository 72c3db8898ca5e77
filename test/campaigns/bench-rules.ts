import { compare } from '../../integrations/bench/compare.js';
import { Suite } from '../../integrations/bench/suite.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { binomialTail } from '../../src/lib/statistics.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { skillsOf } from '../integrations/bench/worlds.js';

/** Problems with the chance that each version solves them, before and after the change. */
type Skills = readonly (readonly [before: number, after: number])[];

/** Answer of a rule: whether it accepts or rejects the candidate as worse, and the pairs of runs that it paid for. */
export interface Verdict {
  readonly verdict: 'accepted' | 'worse' | 'open';
  readonly pairs: number;
}

/** Way to decide about a candidate from runs of both versions. */
export type Rule = (skills: Skills, random: Random) => Verdict | Promise<Verdict>;

/** Runs both versions on the problem at `index`. */
function pair(skills: Skills, index: number, random: Random): readonly [before: number, after: number] {
  const [before = 0, after = 0] = skills[index % skills.length] ?? [];
  return [Number(random() < before), Number(random() < after)];
}

/** One run of each problem: accepted if the mean rose by a point or more. */
const meanRose: Rule = (skills, random) => {
  const gain = skills.reduce((sum, _, index) => {
    const [before, after] = pair(skills, index, random);
    return sum + after - before;
  }, 0);
  return { verdict: gain >= 0.01 * skills.length ? 'accepted' : 'open', pairs: skills.length };
};

const MINIBATCH = 3;

/**
 * Acceptance of GEPA (Agrawal et al. 2025), without its reflection: better on a minibatch of 3, then run on all problems. It is
 * chosen if its mean is higher, and stays in the pool if no other version is better on each problem (its Pareto front).
 */
const gepa =
  (isPool: boolean): Rule =>
  (skills, random) => {
    const batch = Array.from({ length: MINIBATCH }, () => pair(skills, Math.floor(random() * skills.length), random));
    if (batch.reduce((sum, [before, after]) => sum + after - before, 0) <= 0)
      return { verdict: 'open', pairs: MINIBATCH };
    const all = skills.map((_, index) => pair(skills, index, random));
    const isAccepted = isPool
      ? all.some(([before, after]) => after >= before && after > 0)
      : all.reduce((sum, [before, after]) => sum + after - before, 0) > 0;
    return { verdict: isAccepted ? 'accepted' : 'open', pairs: MINIBATCH + skills.length };
  };

const LEVEL = 0.05;

/** Exact one-sided test of McNemar over passes through all problems, after `pairs`; with `peeks`, also after each pass. */
const mcnemar =
  (pairs: number, peeks = false): Rule =>
  (skills, random) => {
    let [wins, losses] = [0, 0];
    for (let done = 1; done <= pairs; done++) {
      const [before, after] = pair(skills, done - 1, random);
      if (after > before) wins++;
      if (after < before) losses++;
      if (done < pairs && !(peeks && done % skills.length === 0)) continue;
      if (binomialTail(wins, wins + losses, 0.5) <= LEVEL) return { verdict: 'accepted', pairs: done };
      if (binomialTail(losses, wins + losses, 0.5) <= LEVEL) return { verdict: 'worse', pairs: done };
    }
    return { verdict: 'open', pairs };
  };

/** `compare` of this package. */
const ours =
  (maxPairs: number): Rule =>
  async (skills, random) => {
    const suite = new Suite('rules', {
      problems: skills.map((_, index) => ({ id: `p${index}`, input: index })),
      run: ({ input }, { prompts }) => Number(random() < (skills[Number(input)]?.[prompts.system ? 1 : 0] ?? 0)),
      score: Number,
      clock: new ManualClock(0),
    });
    const seed = Math.floor(random() * 1e9);
    const { kind, evidence } = await compare(suite, { prompts: { system: 'new' } }, { maxPairs, seed });
    return { verdict: kind === 'better' ? 'accepted' : kind === 'worse' ? 'worse' : 'open', pairs: evidence.pairs };
  };

/** Rules that people use, and that of this package. */
export const RULES: readonly (readonly [name: string, rule: Rule])[] = [
  ['the mean rose by a point, one pass', meanRose],
  ['GEPA: minibatch of 3, then the mean', gepa(false)],
  ['GEPA: stays on its Pareto front', gepa(true)],
  ['McNemar after 160 pairs', mcnemar(160)],
  ['McNemar after 320 pairs', mcnemar(320)],
  ['McNemar after 700 pairs', mcnemar(700)],
  ['McNemar after each pass, up to 700', mcnemar(700, true)],
  ['compare, up to 160 pairs', ours(160)],
  ['compare, up to 700 pairs', ours(700)],
];

/** Share of lives in which a rule accepts a candidate with a gain, or calls it worse, and the mean number of pairs. */
export async function livesOf(rule: Rule, gain: number, lives: number) {
  let [accepted, worse, pairs] = [0, 0, 0];
  for (let seed = 1; seed <= lives; seed++) {
    const random = seededRandom(seed);
    const verdict = await rule(skillsOf(gain, random), random);
    if (verdict.verdict === 'accepted') accepted++;
    if (verdict.verdict === 'worse') worse++;
    pairs += verdict.pairs;
  }
  return { accepted: accepted / lives, worse: worse / lives, pairs: pairs / lives };
}
