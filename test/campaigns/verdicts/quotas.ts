import { type Check, mean, type Row, row, share, shown } from './row.js';
import { liveOnQuota, type QuotaLife, type QuotaWorld } from './shared-quota.js';

/** The same arrivals twice: under these settings, and without any. */
interface Compared {
  readonly with: QuotaLife;
  readonly without: QuotaLife;
}

const WAITS = { 'limit.resetMs': 60_000 } as const;

async function compare(seed: number, world: QuotaWorld): Promise<Compared> {
  const { policy: _, ...without } = world;
  return { with: await liveOnQuota(seed, world), without: await liveOnQuota(seed, { ...without, autoFix: false }) };
}

const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0);
const average = (values: readonly number[]) => sum(values) / values.length;

/** Result of the newest half of the tasks, with the fix and without; `least` is to be avoided in most lives. */
function figures(lives: readonly Compared[], least: number, inLives: number): readonly Check[] {
  const failed = (name: keyof Compared) => sum(lives.map((life) => life[name].lateFailed));
  const [left, before] = [failed('with'), failed('without')];
  const seconds = (at: 'p50' | 'p95') => average(lives.map((life) => life.with.lateWaitMs[at])) / 1_000;
  const perMinute = (name: keyof Compared) => average(lives.map((life) => life[name].grantedPerMinute));
  return [
    share(
      `avoid ${100 * least} %`,
      lives.filter((life) => life.with.lateFailed <= (1 - least) * life.without.lateFailed).length,
      lives.length,
      { min: inLives },
    ),
    shown('left', left),
    shown('of', before),
    shown('wait p50 s', seconds('p50')),
    shown('p95 s', seconds('p95')),
    shown('granted a minute', perMinute('with')),
    shown('without', perMinute('without')),
  ];
}

/** A quota of 60 calls a minute, ten together; bursts of 12 tasks use 60 % of it. The host did not say that a task may be repeated. */
export const QUOTA_ROWS: readonly Row[] = [
  row<Compared>({
    world: 'a shared quota, the loop finds the setting',
    goal: 'avoids >= 75 % of the later failures in >= 75 % of lives',
    lives: 30,
    cut: 2,
    live: (seed) => compare(seed, { tasks: 6_000, processes: 1 }),
    measure: (lives) => [
      ...figures(lives, 0.75, 0.75),
      shown('confirmed', lives.filter((life) => life.with.confirmed).length / lives.length),
    ],
  }),
  row<Compared>({
    world: 'a shared quota, its pace learned',
    goal: 'avoids >= 85 % of the failures in >= 90 % of lives',
    lives: 60,
    cut: 3,
    live: (seed) => compare(seed, { tasks: 2_400, processes: 1, policy: WAITS, autoFix: false }),
    measure: (lives) => figures(lives, 0.85, 0.9),
  }),
  row<Compared>({
    world: 'a shared quota, its pace learned by two processes',
    goal: 'avoids >= 80 % in >= 90 % of lives, the two get alike',
    lives: 60,
    cut: 3,
    live: (seed) => compare(seed, { tasks: 2_400, processes: 2, policy: WAITS, autoFix: false }),
    measure: (lives) => [
      ...figures(lives, 0.8, 0.9),
      mean(
        'larger share',
        lives.map((life) => Math.max(...life.with.shares) / sum(life.with.shares)),
        0.6,
      ),
    ],
  }),
  row<Compared>({
    world: 'a shared quota, stated with the answers',
    goal: 'avoids >= 90 % of the failures in >= 90 % of lives',
    lives: 60,
    cut: 3,
    live: (seed) => compare(seed, { tasks: 2_400, processes: 1, policy: WAITS, autoFix: false, isStated: true }),
    measure: (lives) => figures(lives, 0.9, 0.9),
  }),
  row<Compared>({
    world: 'a shared quota of each of two keys, their paces learned',
    goal: 'avoids >= 85 % of the failures in >= 90 % of lives',
    lives: 60,
    cut: 3,
    live: (seed) => compare(seed, { tasks: 4_800, processes: 1, policy: WAITS, autoFix: false, keys: 2 }),
    measure: (lives) => figures(lives, 0.85, 0.9),
  }),
  row<Compared>({
    world: 'a shared quota, two loops on one store find the setting',
    goal: 'avoids >= 75 % of the later failures in >= 75 % of lives',
    lives: 30,
    cut: 2,
    live: (seed) => compare(seed, { tasks: 6_000, processes: 2, oneStore: true }),
    measure: (lives) => [
      ...figures(lives, 0.75, 0.75),
      shown('confirmed', lives.filter((life) => life.with.confirmed).length / lives.length),
    ],
  }),
];
