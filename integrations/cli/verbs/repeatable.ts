import { taskDecision } from '../store/decide.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plain } from '../terminal/text.js';

/** The verb `rsi repeatable <task>`: records a person's answer whether tasks of this name may run twice. */
export const repeatable = taskDecision(
  {
    name: 'repeatable',
    summary: 'say whether a task may run again after a failure',
    examples: [
      ['repeatable fetch_page --reason "it only reads"', 'fixes that retry it can be tried'],
      ['repeatable send_invoice --no', 'nothing retries it'],
    ],
    description:
      'Answers whether tasks of this name may run twice. Without an answer the loop repeats a task only if its own code says so. The answer is kept in the ledger; the newest one counts.',
    no: 'it may not: fixes that retry it are withdrawn or taken back',
  },
  whenRebuilt(async (loop, task, isNo, answer) => {
    if (isNo) {
      await loop.forbidRepeat(task, answer);
      return `${plain(task)} may not run twice: no fix repeats it, whatever was proven`;
    }
    await loop.allowRepeat(task, answer);
    const known = loop.patterns().some((pattern) => pattern.task === task);
    const unseen = known ? '' : ' (no failure of a task with this name is known here: check its spelling)';
    return `${plain(task)} may run twice: fixes that retry it can be tried from the next cycle on${unseen}`;
  }),
);
