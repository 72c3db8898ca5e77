import { AUTH_ERROR, attempts, Life, PARSE_ERROR } from './life.js';
import { median, type Row, row, share, shown } from './row.js';

interface DilutionLife {
  readonly end: string;
  /** Tasks from the start of the trial to its verdict; `null` without one. */
  readonly tasks: number | null;
}

interface Dilution {
  /** Shares of tasks that meet the failure that the fix is for, and any other. */
  readonly curable: number;
  readonly other: number;
  /** How many of the curable failures the fix leaves, 0 to 1. */
  readonly leaves: number;
  /** The fix only calls the failures something else. */
  readonly relabels?: boolean;
}

const CYCLE_EVERY = 50;
const LONGEST = 8_000;

/** A retry that mends one failure of a task which also fails for other reasons. */
async function live(seed: number, { curable, other, leaves, relabels }: Dilution): Promise<DilutionLife> {
  const life = new Life(seed);
  let begunAt: number | undefined;
  life.loop.on('trial-started', ({ fix }) => {
    if (fix.target === 'retries.parse_error') begunAt ??= task;
  });
  let task = 0;
  for (; task < LONGEST; task++) {
    life.task('job', ({ policy }) => {
      const luck = life.luck();
      const lasts = life.happens(leaves);
      return attempts(policy, (attempt) => {
        if (luck > 1 - other) return AUTH_ERROR;
        if (luck >= curable || (attempt > 1 && !lasts)) return undefined;
        return attempt > 1 && relabels ? AUTH_ERROR : PARSE_ERROR;
      });
    });
    life.clock.skip(60_000);
    if ((task + 1) % CYCLE_EVERY === 0) await life.cycle();
    const verdict = life.verdicts.find(({ fix }) => fix.target === 'retries.parse_error')?.verdict;
    if (!verdict) continue;
    await life.loop.close();
    return { end: verdict.kind, tasks: begunAt === undefined ? null : task + 1 - begunAt };
  }
  await life.loop.close();
  return { end: 'none', tasks: null };
}

const tasksOf = (lives: readonly DilutionLife[]) =>
  lives.filter(({ end }) => end === 'confirmed').map(({ tasks }) => tasks ?? Number.POSITIVE_INFINITY);
const confirmed = (lives: readonly DilutionLife[]) => lives.filter(({ end }) => end === 'confirmed').length;

export const DILUTION_ROWS: readonly Row[] = [
  row<DilutionLife>({
    world: 'cures 5 % beside 20 % other failures',
    goal: 'confirmed >= 95 %, median <= 300 tasks',
    lives: 400,
    cut: 8,
    live: (seed) => live(seed, { curable: 0.05, other: 0.2, leaves: 0 }),
    measure: (lives) => [
      share('confirmed', confirmed(lives), lives.length, { min: 0.95 }),
      median('tasks', tasksOf(lives), 300),
    ],
  }),
  row<DilutionLife>({
    world: 'only relabels 5 % beside 20 % other failures',
    goal: 'confirmed <= 5 %',
    lives: 400,
    cut: 6,
    live: (seed) => live(seed, { curable: 0.05, other: 0.2, leaves: 1, relabels: true }),
    measure: (lives) => [
      share('confirmed', confirmed(lives), lives.length, { max: 0.05 }),
      shown('no verdict', lives.filter(({ end }) => end === 'none').length),
    ],
  }),
];
