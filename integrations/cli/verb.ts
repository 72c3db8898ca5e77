import type { Command } from 'commander';

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
