import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { EXIT, type ExitCode } from './verb.js';
import { VERBS } from './verbs.js';

/** Runs the command line and gives its exit code. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = new Command('rsi')
    .description('Finds what an AI agent fails at again and again, and keeps only the changes that are proven to help.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('rsi --help lists the verbs, rsi <verb> --help the options of one')
    .exitOverride();
  for (const verb of VERBS) {
    verb.register(program, (code) => {
      exitCode = code;
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed what is wrong, or the help or version that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.unusable;
    throw error;
  }
}
