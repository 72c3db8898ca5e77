/**
 * The whole loop on many seeds: an agent works against a model server with five faults, without help. Prints what
 * failed before and after, by fault, and which fix mended it after how many tasks; then the same with faults that nothing
 * can mend, where nothing may be confirmed. `npm run campaign -- whole-loop [--seeds=20] [--at-once=4]`
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeAndAfter, percent, reportMended, reportUnmendable } from './whole-loop/report.js';
import { runWholeLoop, type WholeLoopResult } from './whole-loop/whole-loop.js';

interface Job {
  readonly seed: number;
  readonly mendable: boolean;
}

if (process.send) {
  process.once('disconnect', () => process.exit());
  process.once('message', async (job: Job) => process.send?.(await runWholeLoop(job)));
} else await campaign();

async function campaign(): Promise<void> {
  const seeds = numberOf('seeds') ?? 20;
  // Runs mostly wait, for the server and for their next task.
  const atOnce = numberOf('at-once') ?? 2 * availableParallelism();
  const each = Array.from({ length: seeds }, (_, index) => index + 1);
  const jobs: Job[] = each.flatMap((seed) => [
    { seed, mendable: true },
    { seed, mendable: false },
  ]);
  const mended: WholeLoopResult[] = [];
  const unmendable: WholeLoopResult[] = [];
  const work = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const result = await runApart(job);
      (job.mendable ? mended : unmendable).push(result);
      console.log(lineOf(job, result));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const reached = reportMended(mended);
  const quiet = reportUnmendable(unmendable);
  process.exitCode = reached && quiet ? 0 : 1;
}

/** In a process of its own, against a server of its own. */
function runApart(job: Job): Promise<WholeLoopResult> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`seed ${job.seed} ended with code ${code}`)));
    child.once('message', (result: WholeLoopResult) => {
      resolve(result);
      child.disconnect();
    });
    child.send(job);
  });
}

function lineOf({ seed, mendable }: Job, result: WholeLoopResult): string {
  const { confirmed, seconds } = result;
  const { before, after } = beforeAndAfter(result);
  const fixes = confirmed.map(({ fix, afterTasks }) => `${fix.task} ${fix.target} (${afterTasks})`);
  const what = mendable ? 'can be mended' : 'cannot be mended';
  const failed = `${percent(before)} failed before, ${percent(after)} after`;
  return `seed ${seed}, ${what}, ${seconds.toFixed(0)} s: ${failed}; confirmed: ${fixes.join(', ') || 'nothing'}`;
}

function numberOf(name: string): number | undefined {
  const given = process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  return given === undefined ? undefined : Number(given);
}
