import { DEFAULT_STORE } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly session?: string;
  readonly source?: string;
  readonly agent?: string;
  readonly json?: true;
}

/** The verb `rsi advice [task]`: prints the rules for a task, one per line, to put before an agent. */
export const advice: Verb = {
  register(program, done) {
    program
      .command('advice')
      .summary('the rules for a task, a line each, to put before an agent')
      .description(
        'Prints the rules in force, one per line and nothing else: those of a task, or without one all that a session may need. With --session also the rules on trial in it. Reading changes nothing: a session takes part in a trial only once it begins a task.',
      )
      .addHelpText('after', examples(['advice deploy', 'the rules for one task']))
      .argument('[task]', 'the name of the task')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--session <id>', 'with the rules that are on trial in this session')
      .option('--source <name>', 'where the records of the agent come from, such as claude-code')
      .option('--agent <name>', 'the agent that asks')
      .option('--json', 'print one JSON document instead')
      .action(async (task: string | undefined, { store, json, ...scope }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const rules = loop.advice({ ...scope, ...(task !== undefined && { task }) });
            const document = { format: 'rsi-advice/1', task: task ?? null, rules };
            const lines = rules.map((rule) => `${plain(rule)}\n`).join('');
            await write(process.stdout, json ? `${plainJson(document)}\n` : lines);
            return EXIT.done;
          }),
        );
      });
  },
};
