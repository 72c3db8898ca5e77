const brand = Symbol.for('rsi-loop.exit-hook');
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `run` when the process ends in a way that still lets code run. If the host handles a signal, the host decides
 * whether to exit. Otherwise the signal ends the process, as it would without this hook. Returns a function that
 * removes all listeners.
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
