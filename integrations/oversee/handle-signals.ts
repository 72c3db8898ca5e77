import type { Guarded } from './supervise.js';

/** Options of `handleSignals`. */
export interface SignalOptions {
  /** Called after the runs have ended, before the process exits: write checkpoints, close the loop. */
  readonly beforeExit?: () => unknown;
}

/** Exit codes by signal, as shells report them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof EXIT_CODES;
const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[]; // the keys of the table above

/**
 * Ends the process in order at SIGINT and SIGTERM: stops every run, waits for them and for `beforeExit`, and exits with
 * 130 or 143. A second signal kills the processes of the runs and exits immediately. Returns a function that removes the handlers. Call it only in a program
 * of your own, since it ends the process.
 */
export function handleSignals(guarded: Guarded, { beforeExit }: SignalOptions = {}): () => void {
  let isEnding = false;
  const end = async (signal: Signal) => {
    if (isEnding) {
      guarded.killProcesses();
      globalThis.process.exit(EXIT_CODES[signal]);
    }
    isEnding = true;
    try {
      await guarded.stop('signal', `the process got ${signal}`);
      await beforeExit?.();
    } finally {
      globalThis.process.exit(EXIT_CODES[signal]);
    }
  };
  const handlers = SIGNALS.map((signal) => [signal, () => void end(signal)] as const);
  for (const [signal, handler] of handlers) globalThis.process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) globalThis.process.off(signal, handler);
  };
}
