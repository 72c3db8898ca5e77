import { type CacheLife, type CacheWorld, liveOnCache } from '../worlds/shared-cache.js';
import { type Row, row, share, shown } from './row.js';

const LONGEST = 6_000;

function cacheRow(
  world: string,
  about: Omit<CacheWorld, 'tasks'>,
  limit: { readonly min: number } | { readonly max: number },
): Row {
  const goal = 'min' in limit ? `confirmed >= ${100 * limit.min} %` : `confirmed <= ${100 * limit.max} %`;
  return row<CacheLife>({
    world: `a setting of the host over a shared cache: ${world}`,
    goal,
    lives: 40,
    cut: 8,
    live: (seed) => liveOnCache({ ...about, tasks: LONGEST }, seed),
    measure: (lives) => {
      const confirmed = lives.filter(({ kind }) => kind === 'confirmed');
      const tasks = [...lives].map((life) => life.tasks).sort((a, b) => a - b);
      return [
        share('confirmed', confirmed.length, lives.length, limit),
        shown('median tasks', tasks[Math.floor(tasks.length / 2)] ?? Number.NaN),
      ];
    },
  });
}

export const SHARED_CACHE_ROWS: readonly Row[] = [
  cacheRow('it fails less itself and spoils it for all', { rate: 0.2, own: -0.1, shared: 0.2 }, { max: 0.15 }),
  cacheRow('it takes from control what it gains', { rate: 0.2, own: -0.1, shared: 0.1 }, { max: 0.9 }),
  cacheRow('it halves the failures and shares nothing', { rate: 0.2, own: -0.1, shared: 0 }, { min: 0.9 }),
];
