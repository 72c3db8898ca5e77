import type { Arm } from '../../../src/contract/start.js';
import { seededRandom } from '../../../src/lib/random.js';
import { live } from '../worlds/life.js';
import { median, type Row, row, share, shown } from './row.js';

const TASKS = 6_000;
/** Share of the tasks that use the model which the fix harms, and of failures without the fix. */
const MINORITY = 0.1;
const FAILING = 0.3;

interface MinorityLife {
  readonly isConfirmed: boolean;
  readonly confirmedAt: number;
  readonly isSpared: boolean;
  /** The fix still applies to the model that it helps. */
  readonly isKept: boolean;
  /** Failures of the minority beyond those without the fix. */
  readonly harm: number;
}

/** A fix that nearly cures one model and harms another one, which is used less. */
function liveMinority(seed: number, times: number, part = MINORITY): MinorityLife {
  const random = seededRandom(seed);
  let harm = 0;
  const taskOf = () => {
    const model = random() < part ? 'rare' : 'usual';
    const luck = random();
    const end = (arm: Arm) => {
      const ratio = arm === 'control' ? 1 : model === 'rare' ? times : 0.1;
      if (model === 'rare' && arm === 'fix') harm += FAILING * (times - 1);
      return { failed: luck < FAILING * ratio };
    };
    return { scope: { task: 'ask', model }, end };
  };
  const life = live(taskOf, random, { tasks: TASKS, past: { tasks: 100, failures: 30 } });
  const except = life.trial.scope.except ?? [];
  const isOpen = life.endedAt === undefined;
  return {
    isConfirmed: life.confirmedAt !== undefined,
    confirmedAt: life.confirmedAt ?? Number.POSITIVE_INFINITY,
    isSpared: !isOpen || except.some(({ model }) => model === 'rare'),
    isKept: isOpen && life.confirmedAt !== undefined && !except.some(({ model }) => model === 'usual'),
    harm,
  };
}

function minorityRow(times: number): Row {
  return row<MinorityLife>({
    world: `a fix prevents 9 of 10 failures of a model, and causes ${times} times those of another one (10 % of tasks)`,
    goal: 'the other one is spared in >= 90 %, the fix kept for the first in >= 95 %',
    lives: 100,
    cut: 2,
    live: (seed) => liveMinority(seed, times),
    measure: (lives) => [
      share('spared', lives.filter(({ isSpared }) => isSpared).length, lives.length, { min: 0.9 }),
      share('kept', lives.filter(({ isKept }) => isKept).length, lives.length, { min: 0.95 }),
      median(
        'confirmed after',
        lives.map(({ confirmedAt }) => confirmedAt),
        1_100,
      ),
      shown('failures caused', lives.reduce((sum, { harm }) => sum + harm, 0) / lives.length),
    ],
  });
}

export const MINORITY_ROWS: readonly Row[] = [1.5, 2, 3].map(minorityRow);
