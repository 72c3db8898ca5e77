import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { version } from '../../package.json';
import { commandName } from './terminal/command-name.js';
import { message } from './terminal/say.js';
import { EXIT, type ExitCode, examples } from './verb.js';
import { GROUPS } from './verbs.js';

/** Runs the command line and returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
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

/** Builds the whole command line, with every verb and its help. */
export function programOf(done: (exitCode: ExitCode) => void): Command {
  const name = commandName();
  const program = new Command('rsi')
    .description('Finds what an AI agent fails at again and again, and keeps only the changes that are proven to help.')
    .usage('<verb> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help; after a verb, that of the verb')
    .addHelpCommand(new Command('help').argument('[verb]').description('the same as <verb> --help').helpGroup(LAST))
    .configureHelp({ subcommandTerm, sortSubcommands: false })
    .configureOutput({ outputError })
    .showHelpAfterError(`"${name} --help" lists the verbs`)
    .exitOverride();
  for (const { title, verbs } of GROUPS) {
    program.commandsGroup(title);
    for (const verb of verbs) verb.register(program, done);
  }
  for (const verb of program.commands) {
    verb.helpOption('-h, --help', 'print this help').showHelpAfterError(`"${name} ${verb.name()} --help" says more`);
  }
  return program.addHelpText('after', examples(...EXAMPLES)).addHelpText('after', END);
}

/** Last group, which also contains help. */
const LAST = GROUPS.at(-1)?.title ?? '';

const EXAMPLES = [
  ['analyze ~/.claude/projects', 'what fails most in your sessions so far'],
  ['install claude', 'from now on, record every session'],
  ['review', 'what waits for your decision'],
] as const;

const END = `
Records are kept in ./rsi_data; --store <folder> names another folder.
Exit codes: 0 done, 1 done and something needs attention, 2 not understood or
nothing usable, 130 interrupted.`;

/** Formats a subcommand, e.g. `explain <id>`. Options are shown only in the verb's own help. */
function subcommandTerm(verb: Command): string {
  const words = verb.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [verb.name(), ...words].join(' ');
}

const outputError: NonNullable<OutputConfiguration['outputError']> = (text, write) => {
  // Text in brackets is a suggestion and goes on its own line.
  for (const line of text.trimEnd().split('\n')) write(message(line));
};
