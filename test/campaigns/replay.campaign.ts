/**
 * Verdicts on recorded outcomes of real agents: what the loop finds beside naive rules, and a table of bars. Reads the
 * folder `RSI_REPLAY_DATA` (docs/replay.md says how to build it), or simulates agents. `--lives=N` for each row of the first
 * table, default 150, and as many more or fewer for the other rows; `--longest=N` tasks per life, default 3000;
 * `--one-stream` without sessions; `--only=TEXT` for rows with this text; `--seed=N`. Exits 1 if a bar is missed.
 */

import { CHOICES } from './replay/choices.js';
import { COMPARES } from './replay/compares.js';
import { LOOKS } from './replay/looks.js';
import { BANDS } from './replay/pairs.js';
import { type Pool, readPools } from './replay/pools.js';
import { type Row, type RowOptions, rowOf } from './replay/rows.js';
import { SIMULATIONS } from './replay/simulated.js';
import { BARS, headings, lineOf } from './replay/table.js';
import { takeNumbers } from './run-campaigns.js';
import { answerJobs, runInWorkers } from './workers.js';

/** Part of a table that one process measures: a band of a pool, or some lives of another row. */
type Job =
  | { readonly kind: 'band'; readonly pool: number; readonly band: number; readonly options: RowOptions }
  | {
      readonly kind: 'bar';
      readonly bar: number;
      readonly pool: number;
      readonly from: number;
      readonly to: number;
      readonly seed: number;
    };

const LIVES = 150;
const LIVES_PER_JOB = 3;
const OTHERS = [LOOKS, ...CHOICES, COMPARES, ...SIMULATIONS];

let read: readonly Pool[] | undefined;
const pools = () => (read ??= readPools(process.env.RSI_REPLAY_DATA));

if (!answerJobs(run)) await replay();

async function run(job: Job): Promise<unknown> {
  const pool = pools()[job.pool] as Pool; // a job names a pool that was read
  if (job.kind === 'band') return rowOf(pool, BANDS[job.band] as (typeof BANDS)[number], job.options) ?? null; // as above
  const lives: unknown[] = [];
  for (let index = job.from; index < job.to; index++) lives.push(await OTHERS[job.bar]?.live(index, job.seed, pool));
  return lives;
}

async function replay(): Promise<void> {
  const [lives = LIVES] = takeNumbers('lives');
  const [longest = 3_000] = takeNumbers('longest');
  const [seed = 1] = takeNumbers('seed');
  const isOneStream = process.argv.includes('--one-stream');
  const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice(7) ?? '';
  const bands = pools().flatMap((pool, number) =>
    BANDS.flatMap((band, index): Job[] =>
      `${pool.name} ${band.name}`.includes(only)
        ? [{ kind: 'band', pool: number, band: index, options: { lives, longest, seed, isOneStream } }]
        : [],
    ),
  );
  const others = OTHERS.flatMap((bar, index) => {
    const suited = pools().flatMap((pool, number) => (bar.suits?.(pool) ? [number] : []));
    const count = bar.source === 'simulated' ? bar.lives : Math.max(3, Math.round((bar.lives * lives) / LIVES));
    const where = bar.suits ? suited : [0];
    return bar.name.includes(only) ? where.flatMap((pool) => jobsOf(index, pool, count, seed)) : [];
  });
  const rows = new Map<Job, Row>();
  const found = new Map<string, unknown[]>();
  await runInWorkers<Job, unknown>(import.meta.url, [...bands, ...others], (job, result) => {
    if (job.kind === 'band') {
      if (result) rows.set(job, result as Row); // as `run` returned it
      return;
    }
    const key = `${job.bar} ${job.pool}`;
    found.set(key, [...(found.get(key) ?? []), ...(result as unknown[])]);
  });
  const pairs = bands.flatMap((job) => {
    const [row, pool] = [rows.get(job), pools()[job.pool]];
    return row && pool ? [{ pool: pool.name, row }] : [];
  });
  if (pairs.length > 0) printPairs(pairs);
  printBars(pairs, found);
  for (const { name, agents, tasks, source, date } of pools())
    console.log(`${name}: ${agents.length} agents, ${tasks.length} tasks (${source}, ${date})`);
}

function jobsOf(bar: number, pool: number, lives: number, seed: number): readonly Job[] {
  const jobs: Job[] = [];
  for (let from = 0; from < lives; from += LIVES_PER_JOB)
    jobs.push({ kind: 'bar', bar, pool, from, to: Math.min(lives, from + LIVES_PER_JOB), seed });
  return jobs;
}

type PoolRow = { readonly pool: string; readonly row: Row };

function printPairs(pairs: readonly PoolRow[]): void {
  const agents = new Set(pools().flatMap((pool) => pool.agents.map(({ name }) => `${pool.name} ${name}`))).size;
  console.log(`replayed on ${agents} agents\n\n${headings()}`);
  for (const { pool, row } of pairs) console.log(lineOf(pool, row));
  console.log();
}

/** Prints each bar with what was measured in each pool. */
function printBars(pairs: readonly PoolRow[], found: ReadonlyMap<string, readonly unknown[]>): void {
  const names = pools().map(({ name }) => name);
  console.log(`| what | bar | ${names.join(' | ')} | reached |\n|---|---|${names.map(() => '---|').join('')}---|`);
  const print = (name: string, bar: string, cells: readonly string[], isReached: boolean) => {
    console.log(`| ${[name, bar, ...cells, isReached ? 'yes' : 'NO'].join(' | ')} |`);
    if (!isReached) process.exitCode = 1;
  };
  for (const { name, bar, ofBand, shown, holds } of BARS) {
    const asked = pairs.filter(({ row }) => ofBand(row.band.name));
    if (asked.length === 0) continue;
    const cells = names.map((pool) =>
      asked.flatMap(({ pool: one, row }) => (one === pool ? [shown(row)] : [])).join(', '),
    );
    print(
      name,
      bar,
      cells,
      asked.every(({ row }) => holds(row)),
    );
  }
  for (const [index, bar] of OTHERS.entries()) {
    const measured = names.map((_, pool) => {
      const lives = found.get(`${index} ${pool}`);
      return lives && bar.measure(lives);
    });
    if (measured.every((one) => one === undefined)) continue;
    const cells = bar.suits
      ? measured.map((one) => one?.text ?? '')
      : [measured[0]?.text ?? '', ...names.slice(1).map(() => '')];
    print(
      bar.name,
      bar.bar,
      cells,
      measured.every((one) => one?.isReached !== false),
    );
  }
  console.log();
}
