import type { Random } from '../../../src/lib/random.js';

/** How one simulated trial ended. */
export interface RunResult {
  readonly decision: 'undecided' | 'confirmed' | 'failed';
  /** Tasks and units bet on until the decision. */
  readonly tasks: number;
  readonly units: number;
  /** Whether comparing failures before and after would have kept the fix. */
  readonly naive?: boolean;
  /** Of the ratio of failure rates, at the decision. */
  readonly interval?: readonly [low: number, high: number];
  /** From the opening of the trial to the decision. */
  readonly tookMs?: number;
}

/** A world in which fixes are tried, each run with its own dice. */
export interface World {
  readonly name: string;
  /** Effect of the fix there. */
  readonly effect: 'none' | 'harm' | 'help';
  /** Share that must be reached there; the false acceptance of worlds without help is judged in any case. */
  readonly wanted: { readonly confirmed?: number; readonly failed?: number; readonly median?: number };
  /** Factor of the fix on the failure rate, if runs report an interval for it. */
  readonly ratio?: number;
  readonly run: (random: Random) => RunResult;
}

/** All runs of one world, added up. Shares from 0 to 1; undefined where there is nothing to count. */
export interface WorldSummary {
  readonly world: World;
  readonly confirmed: number;
  readonly failed: number;
  /** Tasks and units until the decision that the world is judged by. */
  readonly medianTasks: number | undefined;
  readonly medianUnits: number | undefined;
  readonly naive: number | undefined;
  /** Intervals that held the true ratio. */
  readonly covered: number | undefined;
  readonly missed: readonly string[];
}

/** A useless fix may be accepted this often. */
const FALSE_ACCEPTANCE = 0.05;
/** From this many runs on, powers are judged without leeway. */
const FULL_RUNS = 2_000;

export function summarise(world: World, results: readonly RunResult[]): WorldSummary {
  const runs = results.length;
  const shareOf = (holds: (result: RunResult) => boolean | undefined) => results.filter(holds).length / runs;
  const reached = results.filter(({ decision }) => decision === (world.effect === 'help' ? 'confirmed' : 'failed'));
  const { ratio } = world;
  const summary = {
    world,
    confirmed: shareOf(({ decision }) => decision === 'confirmed'),
    failed: shareOf(({ decision }) => decision === 'failed'),
    medianTasks: medianOf(reached.map(({ tasks }) => tasks)),
    medianUnits: medianOf(reached.map(({ units }) => units)),
    naive: results[0]?.naive === undefined ? undefined : shareOf(({ naive }) => naive),
    covered:
      ratio === undefined
        ? undefined
        : shareOf(({ interval }) => interval && interval[0] <= ratio && ratio <= interval[1]),
  };
  return { ...summary, missed: missedBy(summary, runs) };
}

function missedBy(summary: Omit<WorldSummary, 'missed'>, runs: number): string[] {
  const { wanted, effect } = summary.world;
  const noise = (rate: number) => 3 * Math.sqrt((rate * (1 - rate)) / runs);
  const atLeast = (wantedRate: number) => (runs >= FULL_RUNS ? wantedRate : wantedRate - noise(wantedRate));
  const missed: string[] = [];
  if (effect !== 'help' && summary.confirmed > FALSE_ACCEPTANCE + noise(FALSE_ACCEPTANCE)) {
    missed.push(`accepted in ${percent(summary.confirmed)}`);
  }
  if (wanted.confirmed !== undefined && summary.confirmed < atLeast(wanted.confirmed)) {
    missed.push(`confirmed in ${percent(summary.confirmed)} only`);
  }
  if (wanted.failed !== undefined && summary.failed < atLeast(wanted.failed)) {
    missed.push(`failed in ${percent(summary.failed)} only`);
  }
  if (wanted.median !== undefined && !(summary.medianTasks !== undefined && summary.medianTasks <= wanted.median)) {
    missed.push(`median of ${summary.medianTasks} tasks`);
  }
  return missed;
}

export const TABLE_HEAD = [
  '| world | the fix | confirmed | failed | median tasks | median units | before/after keeps it | interval holds |',
  '|---|---|---|---|---|---|---|---|',
].join('\n');

export function rowOf(summary: WorldSummary): string {
  const { world, confirmed, failed, medianTasks, medianUnits, naive, covered } = summary;
  const does = { none: 'does nothing', harm: 'harms', help: 'helps' }[world.effect];
  // A before-after comparison is of interest if it is wrong.
  const naively = naive === undefined || world.effect !== 'none' ? '' : percent(naive);
  const held = covered === undefined ? '' : percent(covered);
  const numbers = [percent(confirmed), percent(failed), medianTasks ?? '', medianUnits ?? '', naively, held];
  return `| ${[world.name, does, ...numbers].join(' | ')} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function medianOf(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
