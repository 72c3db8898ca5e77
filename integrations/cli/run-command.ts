import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { VERBS } from './verbs.js';

/** Runs the command line and gives the exit code: 0 done, 2 the arguments or the whole input were unusable. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('rsi')
    .description('Finds what an AI agent fails at again and again, and keeps only the changes that are proven to help.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .showHelpAfterError('(rsi --help lists the verbs, rsi <verb> --help their options)')
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
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
