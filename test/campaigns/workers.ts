import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Answers the jobs that `runInWorkers` sends to a process that runs the same script; false in the first process. */
export function answerJobs<Job>(run: (job: Job) => unknown): boolean {
  if (!process.send) return false;
  process.on('message', async (job: Job) => process.send?.(await run(job)));
  return true;
}

/** Runs jobs in as many processes as the machine has cores, each of which takes job after job until none is left. */
export async function runInWorkers<Job, Found>(
  scriptUrl: string,
  jobs: readonly Job[],
  done: (job: Job, found: Found) => void,
): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  const workers = Math.min(jobs.length, availableParallelism());
  await Promise.all(Array.from({ length: workers }, () => work(scriptUrl, queue, done)));
}

function work<Job, Found>(
  scriptUrl: string,
  queue: Iterator<Job>,
  done: (job: Job, found: Found) => void,
): Promise<void> {
  const child = fork(fileURLToPath(scriptUrl), { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    let job: Job | undefined;
    const step = () => {
      job = queue.next().value as Job | undefined; // an array's iterator returns nothing at its end
      if (job) child.send(job);
      else child.disconnect();
    };
    child.on('error', reject);
    child.on('exit', (code) => (job ? reject(new Error(`a worker ended with code ${code}`)) : resolve()));
    child.on('message', (found: Found) => {
      if (job) done(job, found);
      step();
    });
    step();
  });
}
