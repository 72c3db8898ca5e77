import { Life } from './life.js';
import { type Row, row, share } from './row.js';

/** A month of a task every seven minutes. */
const TASKS = 6_000;
const EVERY_MS = 432_000;
const CYCLE_EVERY = 50;
const GOOD = 0.02;
const BAD = 0.4;

interface ModelLife {
  readonly avoidable: number;
  readonly left: number;
  readonly confirmed: boolean;
}

/** Callers list two models and nothing may be repeated. The first degrades some day, the second was never asked. */
async function live(seed: number): Promise<ModelLife> {
  const life = new Life(seed, { idempotent: false });
  const degradesAt = 500 + Math.floor(life.luck() * 2_500);
  let [avoidable, left] = [0, 0];
  for (let number = 0; number < TASKS; number++) {
    const task = life.loop.begin('answer', { models: ['old', 'new'] });
    const [model = 'old'] = task.policy['model.order'];
    const luck = life.luck();
    const isAvoidable = number >= degradesAt && luck >= GOOD && luck < BAD;
    const failed = luck < GOOD || (isAvoidable && model === 'old');
    if (isAvoidable) avoidable++;
    if (isAvoidable && failed) left++;
    task.end(failed ? { success: false, model, error: '400 invalid schema' } : { success: true, model });
    life.clock.skip(EVERY_MS);
    if (number % CYCLE_EVERY === CYCLE_EVERY - 1) await life.cycle();
  }
  const confirmed = life.loop.fixes({ status: 'confirmed' }).length > 0;
  await life.loop.close();
  return { avoidable, left, confirmed };
}

const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0);

export const MODEL_ROWS: readonly Row[] = [
  row<ModelLife>({
    world: 'the model asked first degrades',
    goal: 'avoids >= 90 % of the avoidable failures of a month',
    lives: 100,
    cut: 3,
    live,
    measure: (lives) => {
      const avoidable = sum(lives.map((life) => life.avoidable));
      const left = sum(lives.map((life) => life.left));
      return [
        share('avoided', avoidable - left, avoidable, { min: 0.9 }),
        share('confirmed', lives.filter(({ confirmed }) => confirmed).length, lives.length, { min: 0.95 }),
      ];
    },
  }),
];
