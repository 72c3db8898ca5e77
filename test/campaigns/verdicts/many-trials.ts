import type { FixId } from '../../../src/contract/ids.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ArmBet } from '../../../src/verify/arm-bet.js';
import { isGivenUp } from '../../../src/verify/patience.js';
import { planTrial } from '../../../src/verify/plan.js';
import { mean, type Row, row, share, shown } from './row.js';

const TYPES = 50;
const PER_DAY = 500;
const TRIAL_DAYS = 30;
/** Trials that a type of task may have in 90 days. */
const ATTEMPTS = 9;
const FAILING = 0.2;
const HELPS = 0.5;
const NOTHING = { units: 0, tasks: 0, failures: 0 };

interface ManyTrials {
  readonly trials: number;
  readonly useless: number;
  readonly helpful: number;
  /** Of the candidates that help, how many came to a trial. */
  readonly tried: number;
}

/** 90 days of 50 types of tasks, each with candidate after candidate until one is confirmed: the test and its budget alone. */
function live(seed: number, helping: number): ManyTrials {
  const random = seededRandom(seed);
  let [trials, useless, helpful, tried] = [0, 0, 0, 0];
  const mended = new Set<number>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (let type = 0; type < TYPES; type++) {
      if (mended.has(type)) continue;
      const helps = random() < helping;
      trials++;
      if (helps) tried++;
      const place = { trial: trials, confirmed: useless + helpful, attempt };
      if (!isConfirmed(place, helps ? HELPS : 1, random)) continue;
      mended.add(type);
      if (helps) helpful++;
      else useless++;
    }
  }
  return { trials, useless, helpful, tried };
}

function isConfirmed(place: Parameters<typeof planTrial>[0]['place'], ratio: number, random: () => number): boolean {
  const fixId = 'simulated' as FixId; // a brand has no other way to come into being
  const past = { tasks: 100, failures: 100 * FAILING };
  const times = { nowMs: 0, tasksPerDay: PER_DAY, longestWaitMs: 0, seed: 1 };
  const trial = planTrial({ fixId, scope: {}, unit: 'task', place, past, ...times });
  const bet = new ArmBet({ alpha: trial.alpha });
  bet.seed([past]);
  for (let seq = 0; seq < PER_DAY * TRIAL_DAYS; seq++) {
    const arm = random() < 0.5 ? 'fix' : 'control';
    bet.push({ seq, arm, share: 0.5, success: random() >= FAILING * (arm === 'fix' ? ratio : 1) });
    if (bet.decision !== 'undecided') return bet.decision === 'confirmed';
    if (isGivenUp(trial, { seen: bet.seen, excused: NOTHING, ratio: bet.ratio })) return false;
  }
  return false;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export const MANY_TRIALS_ROWS: readonly Row[] = [
  row<ManyTrials>({
    world: '50 types of tasks, 90 days, no candidate helps',
    goal: '<= 0.1 false confirmations',
    lives: 100,
    cut: 4,
    live: (seed) => live(seed, 0),
    measure: (lives) => [
      mean(
        'false confirmations',
        lives.map(({ useless }) => useless),
        0.1,
      ),
      shown('trials a life', sum(lives.map(({ trials }) => trials)) / lives.length),
    ],
  }),
  row<ManyTrials>({
    world: '50 types of tasks, 90 days, 2 % of candidates help',
    goal: 'false among confirmed <= 5 %, of the helpful >= 95 % confirmed',
    lives: 100,
    cut: 4,
    live: (seed) => live(seed, 0.02),
    measure: (lives) => {
      const useless = sum(lives.map((life) => life.useless));
      const helpful = sum(lives.map((life) => life.helpful));
      return [
        share('false', useless, useless + helpful, { max: 0.05 }),
        share('helpful confirmed', helpful, sum(lives.map(({ tried }) => tried)), { min: 0.95 }),
      ];
    },
  }),
];
