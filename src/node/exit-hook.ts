const brand = Symbol.for('rsi-loop.exit-hook');
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `run` when the process ends in a way that still lets code run. A signal for which the host has a handler stays
 * the host's: it decides whether to end. Without one the signal ends the process, as it would have without us. Gives the
 * function that takes all listeners away.
 */
export function onExit(run: () => void): () => void {
  const onSignal = Object.assign(
    (signal: NodeJS.Signals) => {
      run();
      if (process.listeners(signal).some((listener) => !(brand in listener))) return;
      process.removeListener(signal, onSignal);
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    },
    { [brand]: true },
  );
  process.on('exit', run);
  process.on('beforeExit', run);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    process.removeListener('exit', run);
    process.removeListener('beforeExit', run);
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  };
}
