import { runCommand } from './run-command.js';
import { endQuietlyOnClosedPipe } from './terminal/write.js';
import { EXIT } from './verb.js';

/** Runs the command line of this process. */
export async function runProgram(): Promise<void> {
  endQuietlyOnClosedPipe(process.stdout);
  endQuietlyOnClosedPipe(process.stderr);
  process.exitCode = await runCommand(process.argv.slice(2));
  // Whatever is still being read, such as a standard input that nobody closes, must not keep an interrupted command alive.
  if (process.exitCode === EXIT.interrupted) process.exit();
}
