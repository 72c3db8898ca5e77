/** `npm run campaign -- repeats`: 100,000 tasks that may not be repeated, in every class of error. Exit code 1 if one was. */
import { countRepeats } from './repeats.js';

const counts = await countRepeats(Number(process.env.TASKS ?? 100_000));
console.log('who said it          tasks    failed  trials  repeats');
for (const { word, tasks, failures, trials, repeats } of counts) {
  console.log(
    `${word.padEnd(18)} ${[tasks, failures, trials, repeats].map((count) => String(count).padStart(7)).join(' ')}`,
  );
}
const repeats = counts.reduce((sum, one) => sum + one.repeats, 0);
console.log(`\n${repeats} repeats of work that no caller called repeatable, or that a caller called not repeatable`);
process.exitCode = repeats === 0 ? 0 : 1;
