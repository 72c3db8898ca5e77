import type { Outcome } from '../../../src/contract/outcome.js';
import type { Arm } from '../../../src/contract/start.js';
import { seededRandom } from '../../../src/lib/random.js';
import { live } from '../worlds/life.js';
import { mean, median, type Row, row, share } from './row.js';

type Chance = (task: number) => number;
type Measured = (arm: Arm, failed: boolean, random: () => number) => Partial<Outcome>;

interface Afterwards {
  readonly confirmed: boolean;
  /** Tasks from the moment that counts to the end of the fix; `null` where it lived on. */
  readonly tookTasks: number | null;
  readonly wakeUps: number;
  readonly endedInTrial: boolean;
}

const SCOPE = { task: 'ask' };
/** When the fix begins to harm. */
const TURNS_AT = 3_000;
const EXPOSED = 1_000;

/** A fix that halves 20 % of failures, and later doubles them. */
function turnsHarmful(seed: number): Afterwards {
  const random = seededRandom(seed);
  const end = (task: number) => (arm: Arm) => ({
    failed: random() < 0.2 * (arm === 'control' ? 1 : task < TURNS_AT ? 0.5 : 2),
  });
  const life = live((task) => ({ scope: SCOPE, end: end(task) }), random, { tasks: TURNS_AT + 8_000 });
  return afterwards(life, life.endedAt === undefined ? null : life.endedAt - TURNS_AT);
}

/** A fix that goes on halving failures which come in bursts. */
function staysGood(seed: number): Afterwards {
  const random = seededRandom(seed);
  const chance = bursts(random);
  const end = (rate: number) => (arm: Arm) => ({ failed: random() < rate * (arm === 'fix' ? 0.5 : 1) });
  return afterwards(
    live((task) => ({ scope: SCOPE, end: end(chance(task)) }), random, { tasks: GOOD_TASKS }),
    null,
  );
}
const GOOD_TASKS = 11_000;

function bursts(random: () => number): Chance {
  let left = 0;
  return () => {
    if (left > 0) left--;
    else if (random() < 1 / 400) left = 40 + Math.floor(random() * 80);
    return left > 0 ? 0.7 : 0.05;
  };
}

/** A fix that halves 20 % of failures, at a price; counted in tasks that it applied to. */
function atAPrice(seed: number, measured: Measured): Afterwards {
  const random = seededRandom(seed);
  const end = (arm: Arm) => {
    const failed = random() < 0.2 * (arm === 'fix' ? 0.5 : 1);
    return { failed, ...measured(arm, failed, random) };
  };
  const life = live(() => ({ scope: SCOPE, end }), random, { tasks: 2_000 });
  return afterwards(life, life.endedAt === undefined ? null : life.exposed);
}

function afterwards({ confirmedAt, endedAt, wakeUps }: ReturnType<typeof live>, tookTasks: number | null): Afterwards {
  const confirmed = confirmedAt !== undefined;
  return { confirmed, tookTasks, wakeUps: wakeUps.length, endedInTrial: endedAt !== undefined && !confirmed };
}

/** A log-normal factor: two in three within 1.65 of the median. */
function spread(random: () => number): number {
  return Math.exp(0.5 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
}

function priceRow(what: string, measured: Measured): Row {
  return row<Afterwards>({
    world: `halves failures, ${what}`,
    goal: 'failed within 1,000 exposed tasks >= 95 %',
    lives: 400,
    cut: 10,
    live: (seed) => atAPrice(seed, measured),
    measure: (lives) => [
      share('failed', lives.filter(({ tookTasks }) => (tookTasks ?? Infinity) <= EXPOSED).length, lives.length, {
        min: 0.95,
      }),
    ],
  });
}

interface TwoModels {
  readonly confirmed: boolean;
  readonly sparedA: boolean;
  readonly sparedB: boolean;
}

/** A fix that spares 80 % of the failures with model a and makes those with b half as many again. */
function helpsOne(seed: number): TwoModels {
  const random = seededRandom(seed);
  const taskOf = () => {
    const model = random() < 0.5 ? 'a' : 'b';
    const ratio = model === 'a' ? 0.2 : 1.5;
    const end = (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) });
    return { scope: { ...SCOPE, model }, end };
  };
  const { trial, endedAt, confirmedAt } = live(taskOf, random, { tasks: 5_000 });
  const isSpared = (model: string) =>
    endedAt !== undefined || (trial.scope.except ?? []).some((scope) => scope.model === model);
  return { confirmed: confirmedAt !== undefined, sparedA: isSpared('a'), sparedB: isSpared('b') };
}

const isConfirmed = ({ confirmed }: Afterwards) => confirmed;

export const AFTERWARDS_ROWS: readonly Row[] = [
  priceRow('takes x1.5', (arm, _, random) => ({ durationMs: 900 * spread(random) * (arm === 'fix' ? 1.5 : 1) })),
  priceRow('costs x1.5', (arm, _, random) => ({ costUsd: 0.02 * spread(random) * (arm === 'fix' ? 1.5 : 1) })),
  priceRow('quality 5 -> 4', (arm, failed) => (failed ? {} : { quality: arm === 'fix' ? 4 : 5 })),
  row<TwoModels>({
    world: 'helps model a, harms model b x1.5',
    goal: 'b spared in >= 90 %, a confirmed in >= 75 %',
    lives: 200,
    cut: 6,
    live: helpsOne,
    measure: (lives) => [
      share('b spared', lives.filter(({ sparedB }) => sparedB).length, lives.length, { min: 0.9 }),
      share('a confirmed', lives.filter(({ confirmed, sparedA }) => confirmed && !sparedA).length, lives.length, {
        min: 0.75,
      }),
    ],
  }),
  row<Afterwards>({
    world: 'confirmed, then failures x2',
    goal: 'taken back within a median of 400 tasks',
    lives: 200,
    cut: 8,
    live: turnsHarmful,
    measure: (lives) => [
      median(
        'tasks',
        lives.filter(isConfirmed).map(({ tookTasks }) => tookTasks ?? Number.POSITIVE_INFINITY),
        400,
      ),
    ],
  }),
  row<Afterwards>({
    world: 'confirmed, stays good in bursts',
    goal: '<= 1 wake-up per 10,000 tasks',
    lives: 200,
    cut: 6,
    live: staysGood,
    measure: (lives) => [
      mean(
        'wake-ups',
        lives.filter(isConfirmed).map(({ wakeUps }) => (wakeUps * 10_000) / GOOD_TASKS),
        1,
      ),
    ],
  }),
];
