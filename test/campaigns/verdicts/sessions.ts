import { seededRandom } from '../../../src/lib/random.js';
import { runSessions, type SessionWorld } from '../worlds/session-worlds.js';
import type { RunResult } from '../worlds/world.js';
import { median, type Row, row, share } from './row.js';

const DAY_MS = 86_400_000;

/** A session every ten minutes. */
const RULE: SessionWorld = { weather: () => 0.2, spread: 0.5, ratio: 0.5, everyMs: 600_000 };

const confirmed = (lives: readonly RunResult[]) => lives.filter(({ decision }) => decision === 'confirmed');
const days = (lives: readonly RunResult[]) => confirmed(lives).map(({ tookMs = Number.NaN }) => tookMs / DAY_MS);

export const SESSION_ROWS: readonly Row[] = [
  row<RunResult>({
    world: '10 % of sessions live ten days',
    goal: 'verdict within 1.5 days',
    lives: 1_000,
    cut: 20,
    live: (seed) => runSessions({ ...RULE, longLived: 0.1 }, seededRandom(seed)),
    measure: (lives) => [
      median('days', days(lives), 1.5),
      share('confirmed', confirmed(lives).length, lives.length, { min: 0.95 }),
    ],
  }),
  row<RunResult>({
    world: 'a rule that leaves a half, by sessions',
    goal: 'interval covers >= 93 %, its upper end <= 1.5 at the verdict',
    lives: 1_000,
    cut: 20,
    live: (seed) => runSessions(RULE, seededRandom(seed)),
    measure: (lives) => [
      share(
        'covers',
        lives.filter(({ interval }) => interval && interval[0] <= 0.5 && interval[1] >= 0.5).length,
        lives.length,
        {
          min: 0.93,
        },
      ),
      median(
        'upper end',
        confirmed(lives).map(({ interval }) => interval?.[1] ?? Number.NaN),
        1.5,
      ),
    ],
  }),
];
