/**
 * `npm run simulate [-- --runs=2000 --only=quota]`: tries fixes in many simulated worlds and prints how often useless
 * and harmful ones were accepted, useful ones confirmed, and after how many tasks. Exit code 1 when a number is missed.
 */
import { answerJobs, runInWorkers } from './workers.js';
import { runWorld, WORLDS } from './worlds/index.js';
import { type RunResult, rowOf, summarise, TABLE_HEAD } from './worlds/world.js';

interface Job {
  readonly world: number;
  readonly from: number;
  readonly to: number;
}

const RUNS_PER_JOB = 100;

if (!answerJobs(runJob)) await simulate();

function runJob({ world, from, to }: Job): RunResult[] {
  const one = WORLDS[world];
  return one ? runWorld(one, from, to) : [];
}

async function simulate(): Promise<void> {
  const runs = Number(optionOf('runs') ?? 2_000);
  const only = optionOf('only') ?? '';
  const chosen = WORLDS.flatMap((world, index) => (world.name.includes(only) ? [{ world, index }] : []));
  if (!(runs >= 1) || chosen.length === 0) {
    console.error(
      `give --runs=<number from 1> and --only=<part of a name>: ${WORLDS.map(({ name }) => name).join('; ')}`,
    );
    process.exit(2);
  }
  const jobs = chosen.flatMap(({ index }) => jobsOf(index, runs));
  const results = new Map<number, RunResult[]>();
  const missed: string[] = [];
  let next = 0;
  console.log(`${runs} runs a world, every fix tried on a bad stretch, the verdict looked at after every task\n`);
  console.log(TABLE_HEAD);
  const finish = () => {
    for (let one = chosen[next]; one; one = chosen[next]) {
      const found = results.get(one.index) ?? [];
      if (found.length < runs) return;
      const summary = summarise(one.world, found);
      missed.push(...summary.missed.map((what) => `${one.world.name}: ${what}`));
      console.log(rowOf(summary));
      next++;
    }
  };
  await runInWorkers<Job, RunResult[]>(import.meta.url, jobs, (job, found) => {
    results.set(job.world, [...(results.get(job.world) ?? []), ...found]);
    finish();
  });
  console.log(missed.length === 0 ? '\nevery number was reached' : `\nmissed:\n${missed.join('\n')}`);
  if (missed.length > 0) process.exitCode = 1;
}

function jobsOf(world: number, runs: number): Job[] {
  const jobs: Job[] = [];
  for (let from = 0; from < runs; from += RUNS_PER_JOB) {
    jobs.push({ world, from, to: Math.min(runs, from + RUNS_PER_JOB) });
  }
  return jobs;
}

function optionOf(name: string): string | undefined {
  return process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}
