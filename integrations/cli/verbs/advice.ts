import { Option } from 'commander';
import { plain } from '../terminal/terminal-text.js';
import { readVerb } from '../verb.js';

interface Options {
  readonly session?: string;
  readonly source?: string;
  readonly agent?: string;
}

/** The verb `rsi advice [task]`: prints the rules for a task, one per line, to put before an agent. */
export const advice = readVerb<Options, string | undefined>({
  description:
    'Prints the rules in force, one per line and nothing else: those of a task, or without a task all rules that a session may need. With --session also the rules on trial in it. Reading changes nothing: a session takes part in a trial only once it begins a task.',
  examples: [['advice deploy', 'the rules for one task']],
  options: [
    new Option('--session <id>', 'also print the rules on trial in this session'),
    new Option('--source <name>', 'where the records of the agent come from, such as claude-code'),
    new Option('--agent <name>', 'the agent that asks'),
  ],
  read: (loop, { session, source, agent }, task) => {
    const scope = { session, source, agent, task };
    const given = Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== undefined));
    const rules = loop.advice(given);
    return {
      document: { format: 'rsi-advice/1', task: task ?? null, rules },
      text: rules.map((rule) => `${plain(rule)}\n`).join(''),
    };
  },
});
