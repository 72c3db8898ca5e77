import { compare, Suite } from 'rsi-loop/bench';
import { seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from '../verdicts/skipping-clock.js';
import { type Bar, barOf, percent, shareOf } from './bar.js';
import { BANDS, type Pair, pairsOf } from './pairs.js';
import type { Pool, PoolAgent } from './pools.js';

/** Bands of the true gain, and the share of comparisons that must end with "better" in each. */
const WANTED = [
  ['better by 5-10', 0.6],
  ['better by 10-20', 0.95],
  ['better by > 20', 0.99],
] as const;

interface Compared {
  readonly band: number;
  readonly kind: string;
}

/** Compares two agents on the problems of the pool, as `rsi bench` does. Each run draws one of the recorded ends. */
async function compareOnce(pool: Pool, index: number, seed: number): Promise<Compared> {
  const band = index % WANTED.length;
  const pairs = pairsIn(pool, band);
  const { tasks, control, fix } = pairs[Math.floor(index / WANTED.length) % pairs.length] as Pair; // in range
  const random = seededRandom(seed);
  const problems = tasks.map((task) => ({
    id: `problem ${task}`,
    input: task,
    expected: 'solved',
    check: { kind: 'exact' as const },
  }));
  const suite = new Suite('replay', {
    problems,
    clock: new SkippingClock(0), // recorded runs have no duration
    run: ({ input }, { policy }) => {
      const agent: PoolAgent = policy['my.version'] === 1 ? fix : control;
      const ends = agent.ends[Number(input)] ?? [];
      return (ends[Math.floor(random() * ends.length)] ?? 0) > 0 ? 'failed' : 'solved';
    },
  });
  const { kind } = await compare(suite, { policy: { 'my.version': 1 } }, { seed, maxPairs: 700 });
  return { band, kind };
}

function pairsIn(pool: Pool, band: number): readonly Pair[] {
  const found = BANDS.find(({ name }) => name === WANTED[band]?.[0]);
  return found ? pairsOf(pool, found) : [];
}

/** A pool with repeats: only then do two runs of the same problem differ. */
function hasRepeats(pool: Pool): boolean {
  return pool.agents.some(({ ends }) => ends.some((some) => some.length > 1));
}

export const COMPARES: Bar = barOf<Compared>({
  name: '`compare` says "better" at 5-10; 10-20; > 20 points (700 pairs); "worse" of truly better',
  bar: '>= 60; 95; 99 %; <= 2 %',
  suits: (pool) => hasRepeats(pool) && WANTED.every((_, band) => pairsIn(pool, band).length > 0),
  lives: 90,
  live: (index, seed, pool) => compareOnce(pool, index, seed * 1_000 + index),
  measure: (lives) => {
    const better = WANTED.map((_, band) =>
      shareOf(
        lives.filter((life) => life.band === band),
        ({ kind }) => kind === 'better',
      ),
    );
    const worse = shareOf(lives, ({ kind }) => kind === 'worse');
    const isReached = better.every((share, band) => share >= (WANTED[band]?.[1] ?? 1)) && worse <= 0.02;
    return { text: `${better.map(percent).join('; ')}; ${percent(worse)}`, isReached };
  },
});
