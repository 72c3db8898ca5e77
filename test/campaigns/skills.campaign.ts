/**
 * Skills in numbers: retrieval among 5, 20 and 100 skills with confusable neighbours, by words and by meaning, false alarms, useless candidates on the
 * same calls, and what is called working. `--runs=N` simulations, default 2,000, and `--learned=N` skills, default 240, for
 * each number of examples. The long version of test/integrations/skills/numbers.slow.test.ts.
 */
import { learnMany } from './skills/learn-many.js';
import { scoreRetrieval } from './skills/retrieval.js';
import { simulateAlarm, simulateCandidates } from './skills/simulate.js';
import { scoreMeaning } from './skills/vector-table.js';

const numberOf = (option: string, normally: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${option}=`))?.split('=')[1] ?? normally);
const runs = numberOf('runs', 2_000);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

for (const style of ['published', 'short'] as const)
  for (const set of ['developed', 'held', 'last', 'all'] as const)
    for (const count of [5, 20, 100]) {
      const { recall, first, none } = await scoreRetrieval(count, set, style);
      console.log(
        `${style} descriptions, ${set}, ${count} skills: recall at 3 ${percent(recall)}, first ${percent(first)}, none for unrelated ${percent(none)}`,
      );
    }
for (const base of [0.1, 0.3, 0.5, 0.75, 0.85]) {
  const { recall, none } = await scoreMeaning(base);
  console.log(
    `by meaning, 100 skills, no word in common, cosine of other texts ${base}: recall at 3 ${percent(recall)}, none for unrelated ${percent(none)}`,
  );
}
for (const rate of [0.05, 0.2, 0.4, 1])
  console.log(`alarm at ${percent(rate)} failures: ${JSON.stringify(simulateAlarm(rate, runs))}`);
for (const [parent, child] of [
  [0.8, 0.8],
  [0.8, 0.95],
  [0.8, 0.6],
] as const) {
  const found = simulateCandidates({ parent, child }, runs);
  console.log(`candidate ${percent(child)} against ${percent(parent)}: ${JSON.stringify(found)}`);
}
for (const examples of [8, 16, 24]) {
  const { working, learned, passFurther, drafts } = await learnMany(numberOf('learned', 240), examples);
  console.log(
    `${examples} examples: ${working} of ${learned} called working, ${percent(passFurther)} of them pass 8 further tests, drafts ${JSON.stringify(drafts)}`,
  );
}
