/**
 * `npm run campaign -- load [--only=quota] [--seed=13] [--times=1]`: short lives under load (or lives of `times` as many tasks), each with the loop on its defaults, with
 * `autoFix: false`, and with some fixed settings, on the same arrivals. Prints the failures, times and calls of each,
 * and which promises did not hold. Exit code 1 if one did not, or if the loop prevents less than 85 % of the failures
 * that the best fixed settings prevent in the newer half, when most trials have ended.
 */
import { type Compared, compare } from './load/compare.js';
import { HEAD, rowOf, summaryOf } from './load/table.js';
import { WORLDS } from './load/worlds.js';
import { answerJobs, runInWorkers } from './workers.js';

const optionOf = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);

if (!answerJobs(live)) await main();

function live({ world, seed, times }: Job): Promise<Compared> {
  const one = WORLDS[world] as (typeof WORLDS)[number]; // the jobs name existing worlds
  return compare({ ...one, tasks: times * one.tasks }, seed);
}

interface Job {
  readonly world: number;
  readonly seed: number;
  readonly times: number;
}

async function main(): Promise<void> {
  const only = optionOf('only') ?? '';
  const [seed, times] = [Number(optionOf('seed') ?? 13), Number(optionOf('times') ?? 1)];
  const jobs = WORLDS.flatMap(({ name }, world) => (name.includes(only) ? [{ world, seed, times }] : []));
  const found = new Map<number, Compared>();
  let next = 0;
  console.log(HEAD);
  await runInWorkers<Job, Compared>(import.meta.url, jobs, (job, compared) => {
    found.set(job.world, compared);
    for (let one = found.get(jobs[next]?.world ?? -1); one; one = found.get(jobs[next]?.world ?? -1)) {
      console.log(rowOf(one));
      next++;
    }
  });
  const { text, reached } = summaryOf([...found.values()]);
  console.log(`\n${text}`);
  if (!reached) process.exitCode = 1;
}
