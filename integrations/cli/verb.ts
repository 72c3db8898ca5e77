import type { Command } from 'commander';

/** One verb of the command `rsi`: a file in `verbs/` and a line in `verbs.ts`. */
export interface Verb {
  /** Adds the verb's arguments, options and help to the program. The action gives the exit code to `done`. */
  register(program: Command, done: (exitCode: number) => void): void;
}
