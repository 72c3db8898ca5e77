import { type Check, type Row, ratio, row, share, shown } from '../verdicts/row.js';
import { liveMonth, type Month, type World } from './month.js';
import { WORLDS } from './worlds.js';

/** One month three times: with the same tasks and the same luck. */
interface Months {
  readonly nothing: Month;
  readonly loop: Month;
  readonly oracle: Month;
}

async function compare(world: World, seed: number): Promise<Months> {
  const nothing = await liveMonth(world, seed, 'nothing');
  const loop = await liveMonth(world, seed, 'loop');
  return { nothing, loop, oracle: world.best ? await liveMonth(world, seed, 'oracle') : nothing };
}

const MOST_EXTRA = { max: 0.12, leeway: 0.02 } as const;

function extraCalls(lives: readonly Months[]): Check {
  const extra = lives.map(({ nothing, loop }) => ({ part: loop.calls - nothing.calls, of: nothing.calls }));
  return ratio('extra calls', extra, MOST_EXTRA);
}

function inForce(lives: readonly Months[]): Check {
  const counts = new Map<string, number>();
  for (const { loop } of lives) {
    const name = loop.inForce.join(', ') || 'none';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const said = [...counts].sort((one, other) => other[1] - one[1]).map(([name, count]) => `${name} (${count})`);
  return { text: `in force: ${said.join('; ')}`, reached: true, nearlyReached: true };
}

/** A world in which a setting prevents failures. The share avoided is of those that the best setting avoids. */
function mended(world: World): Row {
  return row<Months>({
    world: `30 days: ${world.name}`,
    goal: 'avoids >= 90 % of the avoidable failures, extra calls <= 12 %',
    lives: 4,
    cut: 1,
    live: (seed) => compare(world, seed),
    measure: (lives) => {
      const avoided = lives.map(({ nothing, loop, oracle }) => ({
        part: nothing.failed - loop.failed,
        of: nothing.failed - oracle.failed,
      }));
      const avoidable = avoided.reduce((sum, { of }) => sum + of, 0);
      return [
        shown('avoidable', avoidable),
        ratio('avoided', avoided, { min: 0.9, leeway: 0.1 }),
        extraCalls(lives),
        inForce(lives),
      ];
    },
  });
}

/** A world in which no setting prevents a failure: nothing may stay in force, and nothing may become worse. */
function leftAlone(world: World): Row {
  return row<Months>({
    world: `30 days: ${world.name}`,
    goal: 'nothing stays in force, failures added <= 1 % of tasks, extra calls <= 12 %',
    lives: 4,
    cut: 1,
    live: (seed) => compare(world, seed),
    measure: (lives) => {
      const added = lives.map(({ nothing, loop }) => ({ part: loop.failed - nothing.failed, of: nothing.tasks }));
      const changed = lives.filter(({ loop }) => loop.inForce.length > 0).length;
      return [
        share('changed', changed, lives.length, { max: 0.05 }),
        ratio('failures added', added, { max: 0.01, leeway: 0.005 }),
        extraCalls(lives),
      ];
    },
  });
}

/** Months of a loop beside the best settings from the beginning, and beside no fixes at all. */
export const REGRET_ROWS: readonly Row[] = WORLDS.map((world) => (world.best ? mended(world) : leftAlone(world)));
