import { Option } from 'commander';
import { EXIT } from '../exit.js';
import { verb } from '../verb.js';

/** The verb `rsi hook <agent>`, for the help only: `main.ts` runs it without loading any of this. */
export const hook = verb<object, string>({
  description:
    'Called by a coding agent with the body of a hook on standard input; "rsi install claude" sets it up. Records tool calls, turns and sessions, prints the rules of a session, and gives a hint when the agent repeats itself. Always ends with 0.',
  examples: [['hook codex --stop-loops', 'in the settings of the agent']],
  options: [
    new Option('--store <folder>', 'the folder of the loop (default: .rsi_data in the home folder)'),
    new Option('--stop-loops', 'stop an agent that repeats itself, if its hooks can'),
    new Option('--weekly', 'begin a session with a line on the last 7 days for the person, once a week'),
    new Option('--no-background', 'never start a process that reads what hooks left; "rsi watch" does it then'),
  ],
  run: async () => {
    const { runHook } = await import('../hook/run-hook.js');
    await runHook(process.argv.slice(3));
    return EXIT.done;
  },
});
