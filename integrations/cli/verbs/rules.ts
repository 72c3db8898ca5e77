import { Option } from 'commander';
import { listRules, renderRules } from '../fixes/list-rules.js';
import { readVerb } from '../verb.js';

/** The verb `rsi rules`: lists the behavioural rules of an agent and their effects. */
export const rules = readVerb<{ readonly all?: true }>({
  description:
    'Lists the rules that are proposed, on trial or in force: the sentence, its file, how many tasks failed with it and without it, and its helpful and harmful counters, which halve in 90 days. When a file is full, its least useful rule is dropped first.',
  examples: [
    ['rules', 'in force, on trial, proposed'],
    ['rules --all', 'also rejected and rolled-back rules'],
  ],
  options: [new Option('--all', 'also rules that were rejected or rolled back')],
  rebuilt: true,
  read: (loop, { all }, _, look) => {
    const document = listRules(loop, { all: all === true });
    return { document, text: renderRules(document, look) };
  },
});
