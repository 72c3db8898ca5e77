import { createInterface } from 'node:readline';
import { EXIT } from '../exit.js';

/** Asks a question on the terminal. Only `y` and `yes` mean yes; the end of input means no. Ctrl-C ends the command. */
export function askYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((answered) => {
    terminal.on('SIGINT', () => {
      process.stdout.write('\n');
      process.exit(EXIT.interrupted);
    });
    terminal.on('close', () => answered(false));
    terminal.question(`${question} [y/N] `, (answer) => {
      answered(/^y(es)?$/i.test(answer.trim()));
      terminal.close();
    });
  });
}
