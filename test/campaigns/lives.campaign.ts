/**
 * `npm run campaign -- lives [--lives=10000] [--compare=1000] [--seed=1]`: random lives of two loops over one store, with
 * sessions, trials, approvals, rollbacks, freezes, restarts, kills, stopped processes and files that people edit. No cycle
 * may end unfinished. One job in ten runs over a real folder by `FileStore`. In the lives that compare, what each process knows and saves has to follow from the logs alone.
 */
import { addLives, type LivesJob, type LivesReport, runLives } from '../lives/run-lives.js';
import { answerJobs, runInWorkers } from './workers.js';

const LIVES_PER_JOB = 50;

if (!answerJobs(runLives)) await campaign();

async function campaign(): Promise<void> {
  const lives = numberOf('lives') ?? 10_000;
  const compare = Math.min(lives, numberOf('compare') ?? 1_000);
  const seed = numberOf('seed') ?? 1;
  const jobs: LivesJob[] = [];
  for (let from = 0; from < lives; from += LIVES_PER_JOB) {
    const count = Math.min(LIVES_PER_JOB, lives - from);
    const onDisk = jobs.length % 10 === 1;
    jobs.push({ count, seed: seed + from, isCompared: from < compare, onDisk });
  }
  let total: LivesReport | undefined;
  await runInWorkers<LivesJob, LivesReport>(import.meta.url, jobs, (_, found) => {
    total = total ? addLives(total, found) : found;
  });
  if (!total) return;
  const { broken, ...counts } = total;
  console.log(JSON.stringify(counts, undefined, 2));
  console.log(`promises broken: ${broken.length}`);
  for (const what of broken.slice(0, 5)) console.log(what);
  if (broken.length > 0) process.exitCode = 1;
}

function numberOf(name: string): number | undefined {
  const given = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  return given === undefined ? undefined : Number(given);
}
