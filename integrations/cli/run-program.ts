import { runCommand } from './run-command.js';
import { endQuietlyOnClosedPipe } from './terminal/write.js';
import { EXIT } from './verb.js';

/** Runs the command line of this process. */
export async function runProgram(): Promise<void> {
  endQuietlyOnClosedPipe(process.stdout);
  endQuietlyOnClosedPipe(process.stderr);
  process.exitCode = await runCommand(process.argv.slice(2));
  // A pending read, such as an open standard input, must not keep an interrupted command alive.
  if (process.exitCode === EXIT.interrupted) process.exit();
}
