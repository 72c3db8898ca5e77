import type { RSILoopOptions } from 'rsi-loop';
import type { Configuration } from './load.js';

/** Options of a loop, as a command can open it. */
export type LoopOptions = Omit<RSILoopOptions, 'store' | 'workspace'>;

/** Returns the options of a loop that the configuration sets. Only verbs with a workspace option write files. */
export function loopOptions({ values: { loop = {} } }: Configuration): LoopOptions {
  const { workspace, ...options } = loop;
  return options;
}
