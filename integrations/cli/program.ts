import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { EXIT, type ExitCode } from './exit.js';
import { commandName } from './terminal/command-name.js';
import { endOnInterrupt } from './terminal/interrupt.js';
import { widthOf } from './terminal/look.js';
import { endQuietlyOnClosedPipe, message } from './terminal/output.js';
import { wrap } from './terminal/text.js';
import { examples, type Verb } from './verb.js';
import { advice } from './verbs/advice.js';
import { analyze } from './verbs/analyze.js';
import { cycle } from './verbs/cycle.js';
import { dashboardVerb } from './verbs/dashboard.js';
import { apply, approve, freeze, reject, repeatable, rollback, unfreeze } from './verbs/decisions.js';
import { doctor } from './verbs/doctor.js';
import { erase } from './verbs/erase.js';
import { explain } from './verbs/explain.js';
import { exportVerb } from './verbs/export.js';
import { fixes } from './verbs/fixes.js';
import { hook } from './verbs/hook.js';
import { importVerb } from './verbs/import.js';
import { install, uninstall } from './verbs/install.js';
import { models } from './verbs/models.js';
import { policy } from './verbs/policy.js';
import { report } from './verbs/report.js';
import { review } from './verbs/review.js';
import { rootCausesVerb } from './verbs/root-causes.js';
import { rules } from './verbs/rules.js';
import { serveVerb } from './verbs/serve.js';
import { watch } from './verbs/watch.js';

/** Verbs of `rsi` in the order of its help, grouped by purpose. */
const GROUPS: readonly { readonly title: string; readonly verbs: readonly Verb[] }[] = [
  { title: 'Find what fails:', verbs: [analyze, importVerb, report, rootCausesVerb] },
  { title: 'Attach to agents:', verbs: [install, uninstall, hook, serveVerb, watch] },
  { title: 'Review:', verbs: [dashboardVerb, cycle, review, fixes, explain] },
  { title: 'Decide:', verbs: [approve, apply, reject, repeatable, rollback, freeze, unfreeze] },
  { title: 'See what is in force:', verbs: [policy, rules, advice] },
  { title: 'Maintain:', verbs: [exportVerb, erase, models, doctor] },
];

/** Runs the command line of this process. */
export async function runProgram(): Promise<void> {
  endQuietlyOnClosedPipe(process.stdout);
  endQuietlyOnClosedPipe(process.stderr);
  endOnInterrupt();
  process.exitCode = await runCommand(process.argv.slice(2));
  // A pending read, such as an open standard input, must not keep an interrupted command alive.
  if (process.exitCode === EXIT.interrupted) process.exit();
}

async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = programOf((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the error, or the requested help or version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.unusable;
    throw error;
  }
}

/** Builds the whole command line, with every verb and its help, for a terminal of `width` columns. */
export function programOf(done: (exitCode: ExitCode) => void, width: number = widthOf(process.stdout)): Command {
  const name = commandName();
  const last = GROUPS.at(-1)?.title ?? '';
  const program = new Command('rsi')
    .description('Finds what an AI agent fails at again and again, and keeps only the changes that are proven to help.')
    .usage('<verb> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help; after a verb, that of the verb')
    .addHelpCommand(new Command('help').argument('[verb]').description('the same as <verb> --help').helpGroup(last))
    .configureHelp({ subcommandTerm, sortSubcommands: false, helpWidth: width, minWidthToWrap: 20 })
    .configureOutput(usageErrors(`${name} --help`))
    .exitOverride();
  for (const { title, verbs } of GROUPS) {
    program.commandsGroup(title);
    for (const verb of verbs) verb(program, done, width);
  }
  for (const verb of program.commands) {
    verb.helpOption('-h, --help', 'print this help').configureOutput(usageErrors(`${name} ${verb.name()} --help`));
  }
  return program
    .addHelpText('after', examples(EXAMPLES, width))
    .addHelpText('after', ['', ...END.flatMap((text) => wrap(text, width))].join('\n'));
}

const EXAMPLES = [
  ['analyze ~/.claude/projects', 'what fails most in your sessions so far'],
  ['install claude', 'from now on, record every session'],
  ['review', 'what waits for your decision'],
] as const;

const END = [
  'Records are kept in ./rsi_data; --store <folder> names another folder.',
  'Exit codes: 0 done, 1 done and something needs attention, 2 not understood or nothing usable, 130 interrupted.',
];

/** Formats a subcommand, e.g. `explain <id>`. Options are shown only in the verb's own help. */
function subcommandTerm(verb: Command): string {
  const words = verb.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [verb.name(), ...words].join(' ');
}

/** Prints a mistake in the arguments as one line, with the command whose help describes them. */
function usageErrors(help: string): OutputConfiguration {
  return {
    outputError: (text, write) =>
      write(message(`${text.trim().replaceAll('\n', ' ').replace(/\.$/, '')}; "${help}" says more`)),
  };
}
