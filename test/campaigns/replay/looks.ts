import { RSILoop } from 'rsi-loop';
import { seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from '../verdicts/skipping-clock.js';
import { type Bar, barOf, percent, shareOf } from './bar.js';
import { failureRate, type Pool, type PoolAgent, tasksOf } from './pools.js';

const HOUR_MS = 3_600_000;
const HOURS = 96;
const TASKS_PER_HOUR = 20;
/** Hour in which the release changes. Nothing else changes with it. */
const RELEASED = 48;
const MOST_FALSE = 0.03;

/** False alarms of the loop in a stream in which nothing changed, at any of its looks. */
interface Said {
  readonly rising: boolean;
  readonly release: boolean;
  readonly otherPlace: boolean;
  readonly bursts: boolean;
}

/** Records four days of one agent's tasks, drawn from the pool, and looks at the patterns every hour. */
async function lookAt(pool: Pool, agent: PoolAgent, seed: number): Promise<Said> {
  const random = seededRandom(seed);
  const clock = new SkippingClock(Date.UTC(2026, 0, 5));
  const loop = new RSILoop({ clock, random: seededRandom(seed + 1), autoFix: false });
  const said = { rising: false, release: false, otherPlace: false, bursts: false };
  let hour = 0;
  // The first day shows what is usual.
  loop.on('burst', () => {
    if (hour >= 24) said.bursts = true;
  });
  await loop.ready();
  const tasks = tasksOf(pool, agent);
  for (; hour < HOURS; hour++) {
    for (let index = 0; index < TASKS_PER_HOUR; index++) {
      const ends = agent.ends[tasks[Math.floor(random() * tasks.length)] ?? 0] ?? [];
      const failed = (ends[Math.floor(random() * ends.length)] ?? 0) > 0;
      const version = hour < RELEASED ? '1.4.0' : '1.5.0';
      const region = random() < 0.5 ? 'north' : 'south';
      const outcome = { task: 'work', success: !failed, version, region };
      loop.observer.record(failed ? { ...outcome, error: 'the tests failed' } : outcome);
      clock.skip(HOUR_MS / TASKS_PER_HOUR);
    }
    await loop.runCycle();
    for (const { trend, where, kind } of loop.patterns()) {
      if (kind !== 'failure') continue;
      if (trend === 'rising') said.rising = true;
      if (where === 'global') continue;
      if (where.some((place) => 'version' in place)) said.release = true;
      else said.otherPlace = true;
    }
  }
  await loop.close();
  return said;
}

/** Agents that fail often enough for a pattern, and not always. */
function lookedAt(pool: Pool): readonly PoolAgent[] {
  return pool.agents.filter((agent) => {
    const rate = failureRate(agent, tasksOf(pool, agent));
    return tasksOf(pool, agent).length >= 40 && rate > 0.05 && rate < 0.95;
  });
}

export const LOOKS: Bar = barOf<Said>({
  name: '"rising"; release named; other place named; burst, though nothing changed (four days of hourly looks)',
  bar: '<= 3 % each',
  suits: (pool) => lookedAt(pool).length > 0,
  lives: 60,
  live: (index, seed, pool) => {
    const agents = lookedAt(pool);
    return lookAt(pool, agents[index % agents.length] as PoolAgent, seed * 1_000 + index); // the index is in range
  },
  measure: (lives) => {
    const shares = (['rising', 'release', 'otherPlace', 'bursts'] as const).map((what) =>
      shareOf(lives, (said) => said[what]),
    );
    // Few lives: one of them is no miss.
    const isReached = shares.every((share) => share <= Math.max(MOST_FALSE, 1 / lives.length));
    return { text: shares.map(percent).join('; '), isReached };
  },
});
