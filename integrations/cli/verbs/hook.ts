import { HOOK_FORMATS } from '../../sources/agents/formats.js';
import { EXIT, examples, type Verb } from '../verb.js';

/** The verb `rsi hook <agent>`, for the help only: `main.ts` runs it without loading any of this. */
export const hook: Verb = {
  register(program, done) {
    program
      .command('hook')
      .summary('what coding agents call')
      .description(
        'Called by a coding agent with the body of a hook on standard input; "rsi install claude" sets it up. Records tool calls, turns and sessions, hands out the rules of a session, and hints when the agent goes round in circles. Always ends with 0.',
      )
      .addHelpText('after', examples(['hook codex --stop-loops', 'in the settings of the agent']))
      .argument('<agent>', `one of ${Object.keys(HOOK_FORMATS).join(', ')}`)
      .option('--store <folder>', 'the folder of the loop (default: .rsi_data in the home folder)')
      .option('--stop-loops', 'end the work of an agent that goes round in circles, where its hooks can')
      .option('--no-background', 'never start a process that takes in what hooks left: "rsi watch" does it then')
      .action(async () => {
        const { runHook } = await import('../hook/run-hook.js');
        await runHook(process.argv.slice(3));
        done(EXIT.done);
      });
  },
};
