import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { EXIT, type ExitCode } from './exit.js';
import { runAlone } from './run-alone.js';
import { COMPLETION, DAILY, findRow, GROUPS, type Row } from './table.js';
import { commandName } from './terminal/command-name.js';
import { examples } from './terminal/examples.js';
import { widthOf } from './terminal/look.js';
import { endQuietlyOnClosedPipe, message } from './terminal/output.js';
import { wrap } from './terminal/terminal-text.js';

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
  const [asked] = args;
  const about = asked === 'help' ? args[1] : asked;
  const subject = findRow(about);
  const isDaily = about === undefined || about.startsWith('-');
  if (!subject && !isDaily && about !== 'all') {
    const present = await (await import('./hints.js')).renamed(about);
    if (present !== undefined)
      return present === null ? EXIT.unusable : runCommand(args.with(args.indexOf(about), present));
  }
  const program = await programOf(done, {
    loads: (row) => subject?.name === COMPLETION || row === subject,
    groups: isDaily ? DAILY : GROUPS,
  });
  if (asked === 'help' && about === 'all') {
    program.outputHelp();
    return EXIT.done;
  }
  return (await parsed(program, args)) ? exitCode : EXIT.unusable;
}

/** Runs a command line. Returns false if it was not understood: Commander has already printed the error. */
async function parsed(program: Command, args: readonly string[]): Promise<boolean> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return true;
  } catch (error) {
    // Asking for help or the version ends in an error as well.
    if (error instanceof CommanderError) return error.exitCode === 0;
    throw error;
  }
}

interface ProgramOptions {
  /** Columns of the terminal, for the help. */
  readonly width?: number;
  /** Returns true for a verb to load with its options and its effect. The others have their row only. Default: all. */
  readonly loads?: (row: Row) => boolean;
  /** Verbs to build and to list in the help. Default: all. */
  readonly groups?: typeof GROUPS;
}

/** Builds the command line from the table of verbs. */
export async function programOf(
  done: (exitCode: ExitCode) => void,
  { width = widthOf(process.stdout), loads = () => true, groups = GROUPS }: ProgramOptions = {},
): Promise<Command> {
  const name = commandName();
  const program = new Command('rsi')
    .description('Finds what an AI agent fails at again and again, and keeps only the changes that are proven to help.')
    .usage('<verb> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help; after a verb, that of the verb')
    .addHelpCommand(
      new Command('help')
        .argument('[verb]')
        .description('help of a verb; help all lists every verb')
        .helpGroup(groups === DAILY ? 'More:' : (groups.at(-1)?.title ?? '')),
    )
    .configureHelp({ subcommandTerm, sortSubcommands: false, helpWidth: width, minWidthToWrap: 20 })
    .configureOutput(usageErrors(`${name} --help`))
    .exitOverride();
  for (const { title, rows } of groups) {
    program.commandsGroup(title);
    for (const row of rows) {
      const command = program.command(row.name).summary(row.summary);
      if (row.aliases) command.aliases(row.aliases);
      if (row.argument) command.argument(...row.argument);
      command.helpOption('-h, --help', 'print this help');
      command.configureOutput(usageErrors(`${name} ${row.name} --help`, row.argument?.[1]));
      if (loads(row)) (await row.load())(command, done, width);
    }
  }
  return program
    .addHelpText('after', examples(EXAMPLES, width))
    .addHelpText('after', ['', ...END.flatMap((text) => wrap(text, width))].join('\n'));
}

const EXAMPLES = [
  ['analyze ~/.claude/projects', 'what fails most in your sessions so far'],
  ['bench --help', 'is a new prompt or model better?'],
  ['freeze', 'stop everything: roll back every trial'],
  ['init --undo', 'remove every hook that init added'],
] as const;

const END = [
  'Records are only in ./rsi_data, which you can delete; --store names another.',
  'Exit codes: 0 done, 1 needs attention, 2 nothing usable, 130 interrupted.',
];

/** Formats a subcommand, e.g. `explain <id>`. Options are shown only in the verb's own help. */
function subcommandTerm(verb: Command): string {
  const words = verb.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [verb.name(), ...words].join(' ');
}

/** Prints a mistake in the arguments as one line, with the command whose help describes them. `meaning` is that of the argument. */
function usageErrors(help: string, meaning?: string): OutputConfiguration {
  return {
    outputError: (text, write) => {
      const line = text.trim().replaceAll('\n', ' ').replace(/\.$/, '');
      const explained =
        meaning && line.replace(/missing required argument '\w+'/, (missing) => `${missing}, ${meaning}`);
      write(message(`${explained ?? line}; "${help}" says more`));
    },
  };
}
