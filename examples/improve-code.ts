import { bench, describeComparison, FileRuns, shippedProblems } from 'rsi-loop/bench';
import { codeProject, evidenceOf, FileLog, iterate } from 'rsi-loop/improve';
import { propose } from './code-agent/ideas.js';
import { agentRepository } from './code-agent/repository.js';

const folder = agentRepository('./code-agent');
const project = await codeProject({ folder, allow: ['src/**'], test: ['node', '--test'] });

const problems = (await shippedProblems('code')).filter(({ difficulty }) => difficulty === 'easy');
const suite = bench(`code at ${project.base}`, {
  problems: problems.map((problem, index) => ({ ...problem, split: index % 2 === 0 ? 'open' : 'held-out' })),
  run: ({ input }, { code, signal }) => project.run(code, ['node', 'src/agent.mjs'], { input: String(input), signal }),
});
const improvement = await iterate(suite, {
  propose,
  rounds: 6,
  patience: 6,
  draftSteps: 1,
  repeats: 2,
  comparison: { maxPairs: 60, usefulGain: 0.3, guards: { duration: 10 } },
  runs: new FileRuns('./rsi_bench'),
  log: new FileLog('./rsi_bench'),
});

for (const { variant, score, error = '' } of improvement.tried) {
  console.log(`${variant.name}: ${Math.round(score * 100)} % of the open half ${error}`);
}
for (const { isKept, comparison } of improvement.rounds) {
  console.log(
    `${isKept ? 'kept' : 'not kept'}: ${comparison ? describeComparison(comparison) : 'nothing scored more'}`,
  );
}
const change = await project.submit(improvement.best, evidenceOf(improvement, { suite: suite.name }));
console.log(`${change.name} changes ${Object.keys(change.code).join(' and ')}: ${change.status}`);
if (process.argv.includes('--approve')) await project.approve(change.id, { by: 'you', reason: 'it reads well' });
await project.close();
