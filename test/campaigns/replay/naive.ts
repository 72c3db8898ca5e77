import { seededRandom } from '../../../src/lib/random.js';
import { normalShare } from '../../../src/lib/statistics.js';
import { PAST } from './life.js';
import { type Pair, streamOf } from './pairs.js';

/** Tasks of a week of the naive rules, and of the whole fixed test. */
const WEEK = 200;
const FIXED = 400;

/** Rules that people use instead of a sequential test. Each returns whether it keeps the change. */
export const NAIVE: readonly (readonly [
  name: string,
  keeps: (pair: Pair, seed: number, longest: number) => boolean,
])[] = [
  ['mean rose', meanRose],
  ['best of last week', bestOfLastWeek],
  ['fixed test, 400 tasks', (pair, seed) => randomised(pair, seed, FIXED, FIXED)],
  ['peeking test', (pair, seed, longest) => randomised(pair, seed, longest, 50)],
];

/** Keeps a change if fewer tasks fail after it than in as many before it. */
function meanRose(pair: Pair, seed: number): boolean {
  const draw = streamOf(pair, seed);
  const [before, after] = [count(PAST, () => draw().control), count(PAST, () => draw().fix)];
  return after < before;
}

/** Uses both versions for a week, one after the other, and keeps the one with fewer failures. */
function bestOfLastWeek(pair: Pair, seed: number): boolean {
  const draw = streamOf(pair, seed);
  return count(WEEK, () => draw().fix) < count(WEEK, () => draw().control);
}

/** One-sided test of two shares at 5 %, read every `every` tasks. */
function randomised(pair: Pair, seed: number, longest: number, every: number): boolean {
  const draw = streamOf(pair, seed);
  const random = seededRandom(seed + 7);
  const arms = { fix: { tasks: 0, failures: 0 }, control: { tasks: 0, failures: 0 } };
  for (let number = 1; number <= longest; number++) {
    const ends = draw();
    const arm = random() < 0.5 ? 'fix' : 'control';
    arms[arm].tasks++;
    if (ends[arm]) arms[arm].failures++;
    if (number % every !== 0 || arms.fix.tasks === 0 || arms.control.tasks === 0) continue;
    const all = (arms.fix.failures + arms.control.failures) / number;
    const error = Math.sqrt(all * (1 - all) * (1 / arms.fix.tasks + 1 / arms.control.tasks));
    const gain = arms.control.failures / arms.control.tasks - arms.fix.failures / arms.fix.tasks;
    if (error > 0 && 1 - normalShare(gain / error) <= 0.05) return true;
  }
  return false;
}

function count(tasks: number, failed: () => boolean): number {
  let failures = 0;
  for (let index = 0; index < tasks; index++) if (failed()) failures++;
  return failures;
}
