import type { Arm } from '../../../src/contract/start.js';
import { seededRandom } from '../../../src/lib/random.js';
import { type LifeTask, live } from '../worlds/life.js';
import { type Row, row, share, shown } from './row.js';

const FAILING = 0.2;
const LEAVES = 0.5;
const TASKS = 4_000;
/** Tasks of a shorter life in the cut. */
const SHORT = 1_500;

type Weather = 'steady' | 'bursts of other tasks' | 'shared bursts';

interface IndependentLife {
  readonly confirmed: boolean;
  /** Why it was rejected or rolled back. */
  readonly why: string | null;
}

/** A fix that halves the failures of its tasks, beside tasks of another name that depend on nothing it does. */
function lives(seed: number, weather: Weather, tasks: number): IndependentLife {
  const random = seededRandom(seed);
  let isBurst = false;
  const taskOf = (): LifeTask => {
    if (random() < 0.02) isBurst = !isBurst;
    const isOther = random() < 0.3;
    const isHit = isBurst && (weather === 'shared bursts' || (weather !== 'steady' && isOther));
    const rate = weather === 'steady' ? FAILING : isHit ? 0.35 : 0.05;
    const own = isOther || weather !== 'bursts of other tasks' ? rate : FAILING;
    const end = (arm: Arm) => ({ failed: random() < own * (arm === 'fix' && !isOther ? LEAVES : 1) });
    return { scope: { task: isOther ? 'other' : 'ask' }, end };
  };
  const past = { tasks: 100, failures: 20, others: { tasks: 43, failures: 9 } };
  const { confirmedAt, why = null } = live(taskOf, random, { tasks, past });
  return { confirmed: confirmedAt !== undefined, why };
}

function independentRow(weather: Weather): Row {
  return row<IndependentLife>({
    world: `halves failures beside independent tasks, ${weather}`,
    goal: 'stopped by other-tasks <= 5 %',
    lives: 200,
    cut: 6,
    live: (seed) => lives(seed, weather, TASKS),
    short: (seed) => lives(seed, weather, SHORT),
    measure: (found) => [
      share(
        'stopped by other-tasks',
        found.filter(({ why }) => why === 'other-tasks' || why?.startsWith('tasks after it')).length,
        found.length,
        { max: 0.05 },
      ),
      shown('confirmed', found.filter(({ confirmed }) => confirmed).length),
    ],
  });
}

export const INDEPENDENT_ROWS: readonly Row[] = [
  independentRow('steady'),
  independentRow('bursts of other tasks'),
  independentRow('shared bursts'),
];
