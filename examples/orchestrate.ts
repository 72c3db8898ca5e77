import { RSILoop } from 'rsi-loop';
import { orchestrate } from 'rsi-loop/orchestrate';

const loop = new RSILoop();
const run = orchestrate(loop, {
  folder: './rsi_runs', // every step is stored here
  budget: { usd: 1 },
  concurrency: 4,
  tasks: [
    { id: 'rivers', worker: 'search', input: 'rivers' },
    { id: 'lakes', worker: 'search', input: 'lakes', priority: 1 },
    { id: 'text', worker: 'write', after: ['rivers', 'lakes'] },
    { id: 'mail', worker: 'mail', after: ['text'], idempotent: false },
  ],
  workers: {
    // Stand-in for a model that costs 0.10 dollars a call. A retry has the same key, so that a service can tell.
    search: ({ input, spend }) => spend({ usd: 0.1 }, () => `three facts about ${input}`),
    write: ({ results }) => Object.values(results).join(' and '),
    mail: () => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:25');
    },
  },
});
const { status, tasks, spent } = await run;
console.log(`${status}, ${spent.usd} dollars`);
for (const [id, task] of tasks) console.log(`${id}: ${task.status} ${task.error ?? task.result}`);
await loop.close();
