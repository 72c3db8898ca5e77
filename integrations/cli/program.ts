import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { EXIT, type ExitCode } from './exit.js';
import { runAlone } from './run-alone.js';
import { COMPLETION, GROUPS, type Row } from './table.js';
import { commandName } from './terminal/command-name.js';
import { examples } from './terminal/examples.js';
import { widthOf } from './terminal/look.js';
import { endQuietlyOnClosedPipe, message } from './terminal/output.js';
import { wrap } from './terminal/text.js';

/** Runs the command line of this process. */
export async function runProgram(): Promise<void> {
  endQuietlyOnClosedPipe(process.stdout);
  endQuietlyOnClosedPipe(process.stderr);
  const args = process.argv.slice(2);
  process.exitCode = await (args.length === 0 ? runAlone(() => runCommand(['status'])) : runCommand(args));
  // A pending read, such as an open standard input, must not keep an interrupted command alive.
  if (process.exitCode === EXIT.interrupted) process.exit();
}

async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const done = (code: ExitCode) => {
    exitCode = code;
  };
  const asked = args.find((word) => !word.startsWith('-') && word !== 'help');
  const program = await programOf(done, {
    loads: (row) => asked === COMPLETION || row.name === asked || row.aliases?.includes(asked ?? ''),
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

interface ProgramOptions {
  /** Columns of the terminal, for the help. */
  readonly width?: number;
  /** Returns true for a verb to load with its options and its effect. The others have their row only. Default: all. */
  readonly loads?: (row: Row) => boolean | undefined;
}

/** Builds the command line from the table of verbs. */
export async function programOf(
  done: (exitCode: ExitCode) => void,
  { width = widthOf(process.stdout), loads = () => true }: ProgramOptions = {},
): Promise<Command> {
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
  for (const { title, rows } of GROUPS) {
    program.commandsGroup(title);
    for (const row of rows) {
      const command = program.command(row.name).summary(row.summary);
      if (row.aliases) command.aliases(row.aliases);
      if (row.argument) command.argument(...row.argument);
      command.helpOption('-h, --help', 'print this help');
      command.configureOutput(usageErrors(`${name} ${row.name} --help`));
      if (loads(row)) (await row.load())(command, done, width);
    }
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
