import type { Command } from 'commander';
import { commandName } from './terminal/command-name.js';
import { columns, padEnd } from './terminal/text.js';

/**
 * What ends a command: 0 done, 1 done and something needs attention, 2 the arguments or the whole input were unusable,
 * 130 interrupted from the keyboard.
 */
export const EXIT = { done: 0, attention: 1, unusable: 2, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One verb of the command `rsi`: a file in `verbs/` and a line in `verbs.ts`. */
export interface Verb {
  /** Adds the verb with its arguments, options and help to the program. The action gives the exit code to `done`. */
  register(program: Command, done: (exitCode: ExitCode) => void): void;
}

/** A command without its `rsi`, and what it does. */
export type Example = readonly [words: string, does: string];

/** The end of a help text: commands to copy, begun as this one was. */
export function examples(...list: readonly Example[]): string {
  const name = commandName();
  const commands = list.map(([words]) => `  ${name} ${words}`);
  const wide = Math.max(...commands.map(columns));
  const fits = list.every(([, does]) => wide + 2 + columns(does) <= 80);
  const lines = list.map(([, does], index) => {
    const command = commands[index] ?? '';
    return fits ? `${padEnd(command, wide)}  ${does}` : `${command}\n      ${does}`;
  });
  return `\nExamples:\n${lines.join('\n')}`;
}
