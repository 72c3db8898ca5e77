import type { Arm } from '../../../src/contract/start.js';
import { seededRandom } from '../../../src/lib/random.js';
import type { TrialPlace } from '../../../src/verify/level.js';
import { live } from '../worlds/life.js';
import { mean, type Row, row, share, shown } from './row.js';

const TYPES = 50;
/** In the cut, of which more candidates help. */
const SHORT_TYPES = 8;
const PER_DAY = 500;
const TRIAL_DAYS = 30;
/** Trials that a type of task may have in 90 days. */
const ATTEMPTS = 9;
const FAILING = 0.2;
const HELPS = 0.5;

interface ManyTrials {
  readonly trials: number;
  readonly useless: number;
  readonly helpful: number;
  /** Of the candidates that help, how many came to a trial. */
  readonly tried: number;
}

/** 90 days of 50 types of tasks, each with candidate after candidate until one is confirmed. */
function liveLong(seed: number, helping: number, types = TYPES): ManyTrials {
  const random = seededRandom(seed);
  let [trials, useless, helpful, tried] = [0, 0, 0, 0];
  const mended = new Set<number>();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (let type = 0; type < types; type++) {
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

/** Lets one candidate be tried by the whole Verifier, with its guards. Their measures are the same in both arms. */
function isConfirmed(place: TrialPlace, ratio: number, random: () => number): boolean {
  const end = (arm: Arm) => ({
    failed: random() < FAILING * (arm === 'fix' ? ratio : 1),
    durationMs: 400 + 800 * random(),
    costUsd: 0.01 + 0.02 * random(),
  });
  const trial = { tasks: PER_DAY * TRIAL_DAYS, lookEvery: 25, place, untilConfirmed: true };
  return live(() => ({ scope: { task: 'ask' }, end }), random, trial).confirmedAt !== undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export const MANY_TRIALS_ROWS: readonly Row[] = [
  row<ManyTrials>({
    world: '50 types of tasks, 90 days, no candidate helps',
    goal: '<= 0.1 false confirmations',
    lives: 40,
    cut: 2,
    live: (seed) => liveLong(seed, 0),
    short: (seed) => liveLong(seed, 0, SHORT_TYPES),
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
    lives: 40,
    cut: 2,
    live: (seed) => liveLong(seed, 0.02),
    short: (seed) => liveLong(seed, 0.1, SHORT_TYPES),
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
