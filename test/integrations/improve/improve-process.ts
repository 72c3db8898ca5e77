/** Improves a simulated agent, writes a line per paid run, and kills itself at the n-th one of this process. */
import { appendFileSync } from 'node:fs';
import { FileRuns, Suite } from '../../../integrations/bench/index.js';
import { FileLog, type ImprovementStep, iterate } from '../../../integrations/improve/index.js';
import { hashUnit } from '../../../src/lib/hash.js';

const [, , folder = '', killAt = '0'] = process.argv;
let runs = 0;
const suite = new Suite('killed', {
  problems: Array.from({ length: 30 }, (_, index) => ({ id: `p${index}`, input: index })),
  run: ({ id }, { prompts }) => {
    appendFileSync(`${folder}/paid.log`, `${id}\n`);
    if (++runs === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    // The same run has the same result in every process.
    return hashUnit(`${id} ${prompts.system} ${runs}`) < (prompts.system === 'good' ? 0.95 : 0.5) ? 1 : 0;
  },
  score: Number,
});
const kept = { runs: new FileRuns(`${folder}/bench`), log: new FileLog<ImprovementStep>(`${folder}/bench`) };
const { best, rounds, ended } = await iterate(suite, {
  propose: ({ round }) => {
    appendFileSync(`${folder}/proposed.log`, `${round}\n`);
    return [{ variant: { prompts: { system: round === 1 ? 'useless' : 'good' } }, hypothesis: 'it helps' }];
  },
  rounds: 2,
  draftSteps: 1,
  concurrency: 2,
  comparison: { maxPairs: 60 },
  ...kept,
});
await kept.runs.close();
await kept.log.close();
console.log(JSON.stringify({ best, ended, kept: rounds.map(({ isKept }) => isKept) }));
