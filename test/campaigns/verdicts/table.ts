import { answerJobs, runInWorkers } from '../workers.js';
import { type Check, liveThrough, type Row } from './row.js';

interface Job {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

const LIVES_PER_JOB = 5;

/**
 * Lives through the rows in as many processes as there are cores, and prints what must hold over all of them beside
 * what was measured. Sets exit code 1 if a goal is missed. `--lives` and `--only` of the command line choose how many
 * lives and which worlds.
 * @param scriptUrl Script that calls this. The other processes run it too.
 */
export async function printTable(scriptUrl: string, rows: readonly Row[]): Promise<void> {
  if (answerJobs(({ row, from, to }: Job) => (rows[row] ? liveThrough(rows[row], from, to) : []))) return;
  const wanted = optionOf('lives') === undefined ? undefined : Number(optionOf('lives'));
  const only = optionOf('only') ?? '';
  const chosen = rows.flatMap((row, index) => (row.world.includes(only) ? [{ row, index }] : []));
  if ((wanted !== undefined && !(wanted >= 1)) || chosen.length === 0) {
    console.error(
      `give --lives=<number from 1> and --only=<part of a world>: ${rows.map(({ world }) => world).join('; ')}`,
    );
    process.exit(2);
  }
  const jobs = chosen.flatMap(({ row, index }) => jobsOf(index, wanted ?? row.lives));
  const lives = new Map<number, unknown[]>();
  const missed: string[] = [];
  let next = 0;
  console.log('| world | goal | measured | lives | reached |\n|---|---|---|---|---|');
  const print = () => {
    for (let one = chosen[next]; one; one = chosen[next]) {
      const found = lives.get(one.index) ?? [];
      if (found.length < (wanted ?? one.row.lives)) return;
      const checks = one.row.measure(found);
      missed.push(...checks.flatMap((check) => (check.reached ? [] : [`${one.row.world}: ${check.text}`])));
      const { world, goal } = one.row;
      console.log(`| ${[world, goal, textOf(checks), found.length, isReached(checks)].join(' | ')} |`);
      next++;
    }
  };
  await runInWorkers<Job, unknown[]>(scriptUrl, jobs, (job, found) => {
    lives.set(job.row, [...(lives.get(job.row) ?? []), ...found]);
    print();
  });
  console.log(missed.length === 0 ? '\nevery goal was reached' : `\nmissed:\n${missed.join('\n')}`);
  if (missed.length > 0) process.exitCode = 1;
}

function jobsOf(row: number, lives: number): Job[] {
  const jobs: Job[] = [];
  for (let from = 0; from < lives; from += LIVES_PER_JOB) {
    jobs.push({ row, from, to: Math.min(lives, from + LIVES_PER_JOB) });
  }
  return jobs;
}

function textOf(checks: readonly Check[]): string {
  return checks.map(({ text }) => text).join(', ');
}

function isReached(checks: readonly Check[]): string {
  return checks.every(({ reached }) => reached) ? 'yes' : 'NO';
}

function optionOf(name: string): string | undefined {
  return process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}
