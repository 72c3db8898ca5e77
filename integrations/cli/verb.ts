import type { Command } from 'commander';
import { commandName } from './terminal/command-name.js';
import { columns, padEnd } from './terminal/text.js';

/**
 * Exit codes: 0 done, 1 done but something needs attention, 2 unusable arguments or input, 130 interrupted from the
 * keyboard.
 */
export const EXIT = { done: 0, attention: 1, unusable: 2, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Verb of the command `rsi`: a file in `verbs/` and a line in `verbs.ts`. */
export interface Verb {
  /** Adds the verb with its arguments, options and help to the program. The action passes the exit code to `done`. */
  register(program: Command, done: (exitCode: ExitCode) => void): void;
}

/** Example command without its `rsi`, and its effect. */
export type Example = readonly [words: string, does: string];

/** Formats the end of a help text: commands to copy, with the prefix of this run. */
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
