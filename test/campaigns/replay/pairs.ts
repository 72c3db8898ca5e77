import { seededRandom } from '../../../src/lib/random.js';
import { failureRate, type Pool, type PoolAgent } from './pools.js';

/** Band of the true gain of an agent over another, in points: `from` to below `to`. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export const BANDS: readonly Band[] = [
  { name: 'worse by 2 or more', from: -100, to: -2 },
  { name: 'the same agent', from: 0, to: 0 },
  { name: 'better by 0-2', from: 0.01, to: 2 },
  { name: 'better by 2-5', from: 2, to: 5 },
  { name: 'better by 5-10', from: 5, to: 10 },
  { name: 'better by 10-20', from: 10, to: 20 },
  { name: 'better by > 20', from: 20, to: 101 },
];

/** Two agents on the tasks that both have: `fix` instead of `control`. The true gain is exact, as tasks are drawn from the pool. */
export interface Pair {
  readonly pool: Pool;
  readonly tasks: readonly number[];
  readonly control: PoolAgent;
  readonly fix: PoolAgent;
  /** Failure rates over the pool. */
  readonly rates: { readonly control: number; readonly fix: number };
}

/** Points by which the fix fails less. */
export function gainOf({ rates }: Pair): number {
  return 100 * (rates.control - rates.fix);
}

/** Returns the pairs of a pool whose gain is in the band. */
export function pairsOf(pool: Pool, { from, to }: Band): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const control of pool.agents) {
    for (const fix of pool.agents) {
      const isSame = control === fix;
      if (isSame !== (from === 0 && to === 0)) continue;
      const tasks = pool.tasks.flatMap((_, task) =>
        control.ends[task]?.length && fix.ends[task]?.length ? [task] : [],
      );
      const rates = { control: failureRate(control, tasks), fix: failureRate(fix, tasks) };
      const gain = 100 * (rates.control - rates.fix);
      // A rate without room is a broken run, not an agent.
      if (tasks.length < 40 || rates.control > 0.98 || rates.fix > 0.98) continue;
      if (isSame || (gain >= from && gain < to)) pairs.push({ pool, tasks, control, fix, rates });
    }
  }
  return pairs;
}

/** One drawn task: its names, and how it ended in each arm. */
export interface Drawn {
  readonly names: readonly string[];
  readonly control: boolean;
  readonly fix: boolean;
}

/** Draws tasks with replacement. Each arm looks up one of its own recorded ends. */
export function streamOf({ pool, tasks, control, fix }: Pair, seed: number): () => Drawn {
  const random = seededRandom(seed);
  const pick = (ends: readonly number[] = []) => (ends[Math.floor(random() * ends.length)] ?? 0) > 0;
  return () => {
    const task = tasks[Math.floor(random() * tasks.length)] ?? 0;
    return {
      names: pool.tasks[task]?.names ?? [],
      control: pick(control.ends[task]),
      fix: pick(fix.ends[task]),
    };
  };
}
