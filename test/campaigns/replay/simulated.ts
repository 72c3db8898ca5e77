import { ROWS } from '../verdicts/index.js';
import { liveThrough, type Row as WorldRow } from '../verdicts/row.js';
import { runWorld, WORLDS } from '../worlds/index.js';
import { type RunResult, summarise } from '../worlds/world.js';
import { type Bar, barOf } from './bar.js';

/** Lives of one world in one job: the index of a life counts worlds, and seeds within each. */
interface Lived {
  readonly world: number;
  readonly lives: readonly unknown[];
}

const RUNS = 40;

/** All worlds of `npm run simulate`, some runs each. */
const SIMULATED: Bar = barOf<Lived>({
  name: `${WORLDS.length} simulated worlds (npm run simulate)`,
  bar: 'hold',
  source: 'simulated',
  lives: WORLDS.length,
  live: (index) => {
    const world = WORLDS[index % WORLDS.length];
    return { world: index % WORLDS.length, lives: world ? runWorld(world, 0, RUNS) : [] };
  },
  measure: (lives) => {
    const missed = lives.flatMap((life) => {
      const world = WORLDS[life.world];
      const results = life.lives as readonly RunResult[]; // as `live` returned them
      return world ? summarise(world, results).missed.map((what) => `${world.name}: ${what}`) : [];
    });
    const found = `${WORLDS.length - missed.length} of ${WORLDS.length} hold, ${RUNS} runs each`;
    return { text: [found, ...missed].join('; '), isReached: missed.length === 0 };
  },
});

/** Rows of `npm run campaign -- verdicts`, a life each. Goals have the leeway that few lives ask for. */
function worldsBar(name: string, bar: string, chosen: (row: WorldRow) => boolean, each: number): Bar {
  const rows = ROWS.filter(chosen);
  return barOf<Lived>({
    ...{ name, bar, source: 'simulated', lives: rows.length * each },
    live: async (index) => {
      const [world, number] = [index % rows.length, Math.floor(index / rows.length)];
      const row = rows[world];
      return { world, lives: row ? await liveThrough(row, number, number + 1) : [] };
    },
    measure: (lives) => {
      const checks = rows.map((row, world) =>
        row.measure(lives.filter((life) => life.world === world).flatMap((life) => life.lives)),
      );
      const held = checks.filter((some) => some.every(({ nearlyReached }) => nearlyReached)).length;
      const missed = checks.flatMap((some, world) =>
        some.flatMap(({ text, nearlyReached }) => (nearlyReached ? [] : [`${rows[world]?.world}: ${text}`])),
      );
      return { text: [`${held} of ${rows.length} hold`, ...missed].join('; '), isReached: missed.length === 0 };
    },
  });
}

export const SIMULATIONS: readonly Bar[] = [
  SIMULATED,
  worldsBar('null lives of 50 tasks (450 trials)', 'hold', ({ world }) => world.includes('no candidate helps'), 2),
  worldsBar('regret worlds (30 days)', 'hold', ({ world }) => world.startsWith('30 days:'), 1),
  worldsBar('dilution', 'hold', ({ world }) => world.includes('beside 20 % other failures'), 8),
  worldsBar(
    'a model with a tenth of the tasks that a fix harms is spared',
    '>= 90 %',
    ({ world }) => world.includes('of a model'),
    20,
  ),
];
